import { shellWord } from '../contract/shell-word.ts';
import { usePage } from './components.tsx';

/** The words that start this program in a shell of the machine of this service; pages have them only if no other machine sees these. */
export type Program = readonly string[];

const PUBLISHED: Program = ['npx', '-y', 'web3-bi-mcp'];

/** What starts the program where a page is read: this program, or the package as it is to be published. */
export const useProgram = (): Program => usePage().program ?? PUBLISHED;

/** The same for a shell, with what stands for it where it is the package. */
export function useCommand(published: string = shellCommand(PUBLISHED)): string {
  const { program } = usePage();
  return program === undefined ? published : shellCommand(program);
}

export const shellCommand = (program: Program): string => program.map(shellWord).join(' ');

/** How to run what pages show before the package is published; to be removed then. */
export function Unpublished({ command = shellCommand(PUBLISHED) }: { command?: string }) {
  if (usePage().program !== undefined) return null;
  return (
    <p class="muted">
      Not on npm yet: from a clone after <code>npm ci</code>, use <code>node /path/to/web3-bi-mcp/dist/main.js</code> in
      place of <code>{command}</code>.
    </p>
  );
}
