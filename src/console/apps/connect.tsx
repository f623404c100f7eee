import type { ConnectionsData } from '../../contract/connections.ts';
import { Paths } from '../paths.tsx';
import { startApp } from './host.ts';

startApp<ConnectionsData>(({ answer }) => <Paths {...answer} />);
