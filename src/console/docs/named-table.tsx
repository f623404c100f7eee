import type { VNode } from 'preact';
import { namedRow, Table } from '../components.tsx';

interface NamedTableProps {
  readonly label: string;
  readonly head: readonly [string, string];
  readonly rows: readonly (readonly [name: string, about: string | undefined])[];
}

/** A table of identifiers with descriptions. */
export function NamedTable({ label, head, rows }: NamedTableProps): VNode {
  return (
    <Table label={label} head={head}>
      {rows.map(([name, about]) => namedRow(name, <code>{name}</code>, about))}
    </Table>
  );
}
