import type { ConnectionsData } from '../../contract/connections.ts';
import { Card, Empty } from '../components.tsx';
import { PathCard } from '../path-card.tsx';
import { startApp } from './host.ts';

startApp<ConnectionsData>(({ answer: { paths, reason, complete } }) => (
  <>
    {paths.length === 0 ? (
      <Card>
        <Empty title="No path is on record">{reason}</Empty>
      </Card>
    ) : null}
    {paths.map((path, index) => (
      <PathCard key={index} path={path} />
    ))}
    {complete ? null : <p class="muted">The search was cut at its bound: there may be other paths.</p>}
  </>
));
