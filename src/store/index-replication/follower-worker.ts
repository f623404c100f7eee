import { parentPort, workerData } from 'node:worker_threads';
import { openSource } from '../postgres/change-source.ts';
import { startFollower } from './follower.ts';
import type { FollowerTask } from './follower-thread.ts';

const { url, root, snapshot } = workerData as FollowerTask;
const source = openSource(url);
const onFailure = (error: unknown): void => parentPort?.postMessage((error as Error).message);
const follower = startFollower({ source, root, snapshot, onFailure });

parentPort?.once('message', async () => {
  await follower.close();
  await source.close();
});
