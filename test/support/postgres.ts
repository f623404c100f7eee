import type { TestProject } from 'vitest/node';
import { openStore } from '../../src/store/open.ts';
import { findPostgres, startCluster } from './postgres-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URLs of the maintenance database, and of a template with the schema only. */
    postgres: { readonly adminUrl: string; readonly templateUrl: string };
  }
}

const TEMPLATE = 'web3_bi_template';

/** Starts the PostgreSQL server shared by all tests, and creates the template of their databases. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster(findPostgres());
  const adminUrl = cluster.url('postgres');
  const templateUrl = cluster.url(TEMPLATE);
  await cluster.execute(`CREATE DATABASE ${TEMPLATE}`);
  await (await openStore(templateUrl)).close();
  provide('postgres', { adminUrl, templateUrl });
  return cluster.remove;
}
