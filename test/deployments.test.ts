import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { readSettings, settingsSchema, variableOf } from '../src/commands/config.ts';

const ROOT = join(import.meta.dirname, '..');
const VARIABLES = Object.keys(settingsSchema.shape).map(variableOf);
/** Requests under way, and streams of MCP, when the notice is over. */
const FINISH_MS = 8_000 + 6_000;

// The parts of the Kubernetes API that the file uses. Strict, so that a field which the API does not have is found.
const labels = z.record(z.string(), z.string());
const named = z.strictObject({ name: z.string(), labels });
const selector = z.strictObject({ matchLabels: labels });
const port = z.union([z.string(), z.int().min(1).max(65_535)]);
const quantity = z.string().regex(/^\d+(m|Mi|Gi)?$/);
const seconds = z.int().min(1);
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string().startsWith('/'), port }),
  periodSeconds: seconds,
  timeoutSeconds: seconds.optional(),
  failureThreshold: z.int().min(1),
});
const secretKey = z.strictObject({ secretKeyRef: z.strictObject({ name: z.string(), key: z.string() }) });
const variable = z.union([
  z.strictObject({ name: z.string(), value: z.string() }),
  z.strictObject({ name: z.string(), valueFrom: secretKey }),
]);
const container = z.strictObject({
  name: z.string(),
  image: z.string().regex(/^[\w./-]+:[\w.-]+$/),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: port })),
  env: z.array(variable),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  resources: z.strictObject({
    requests: z.strictObject({ cpu: quantity, memory: quantity }),
    limits: z.strictObject({ memory: quantity }),
  }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string().startsWith('/') })),
});
const pod = z.strictObject({
  automountServiceAccountToken: z.boolean(),
  terminationGracePeriodSeconds: seconds,
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.int().min(1),
    runAsGroup: z.int().min(1),
    fsGroup: z.int().min(1),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  topologySpreadConstraints: z.array(
    z.strictObject({
      maxSkew: z.int().min(1),
      topologyKey: z.string(),
      whenUnsatisfiable: z.enum(['DoNotSchedule', 'ScheduleAnyway']),
      labelSelector: selector,
    }),
  ),
  containers: z.tuple([container]),
  volumes: z.array(
    z.strictObject({
      name: z.string(),
      emptyDir: z.strictObject({
        sizeLimit: z
          .string()
          .regex(/^\d+[MG]i$/)
          .optional(),
      }),
    }),
  ),
});
const deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata: named,
  spec: z.strictObject({
    replicas: z.int().min(2),
    selector,
    strategy: z.strictObject({
      type: z.literal('RollingUpdate'),
      rollingUpdate: z.strictObject({ maxUnavailable: z.int(), maxSurge: z.int() }),
    }),
    template: z.strictObject({ metadata: z.strictObject({ labels, annotations: labels }), spec: pod }),
  }),
});
const service = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata: named,
  spec: z.strictObject({
    selector: labels,
    ports: z.array(z.strictObject({ name: z.string(), port, targetPort: port })),
  }),
});
const budget = z.strictObject({
  apiVersion: z.literal('policy/v1'),
  kind: z.literal('PodDisruptionBudget'),
  metadata: named,
  spec: z.strictObject({ minAvailable: z.int().min(1), selector }),
});

describe('docs/kubernetes.yaml', () => {
  const documents = parseAllDocuments(readFileSync(join(ROOT, 'docs', 'kubernetes.yaml'), 'utf8'), { strict: true });
  const parsed = z.tuple([deployment, service, budget]).parse(documents.map((document) => document.toJS() as unknown));
  const [{ spec: deployed }, { spec: served }, { spec: kept }] = parsed;
  const [run] = deployed.template.spec.containers;

  test('is well-formed, and its parts find one another by their labels and names', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
    const { labels: own } = deployed.template.metadata;
    const spread = deployed.template.spec.topologySpreadConstraints.map((each) => each.labelSelector.matchLabels);
    for (const asked of [deployed.selector.matchLabels, served.selector, kept.selector.matchLabels, ...spread]) {
      expect(own).toMatchObject(asked);
    }
    const ports = run.ports.map(({ name }) => name);
    const probes = [run.startupProbe, run.livenessProbe, run.readinessProbe].map(({ httpGet }) => httpGet.port);
    expect(
      [...served.ports.map(({ targetPort }) => targetPort), ...probes].every((each) => ports.includes(`${each}`)),
    ).toBe(true);
    expect(run.volumeMounts.map(({ name }) => name)).toEqual(deployed.template.spec.volumes.map(({ name }) => name));
  });

  test('sets what is a setting, to what it can be, and leaves its secrets to the cluster', () => {
    const given = run.env.map(
      (each) => [each.name, 'value' in each ? each.value : 'postgres://user@host/name'] as const,
    );
    const settings = readSettings({}, Object.fromEntries(given));
    expect(run.ports[0]?.containerPort).toBe(settings.port);
    const secrets = Object.entries(settingsSchema.shape)
      .filter(([, schema]) => schema.meta()?.['secret'] === true)
      .map(([name]) => variableOf(name));
    expect(run.env.filter((each) => 'value' in each && secrets.includes(each.name))).toEqual([]);
  });

  test('asks the paths that say what each probe wants to know, and waits until an instance has stopped', () => {
    const paths = [run.startupProbe, run.livenessProbe, run.readinessProbe].map(({ httpGet }) => httpGet.path);
    expect(paths).toEqual(['/livez', '/livez', '/readyz']);
    const notice = run.env.find(({ name }) => name === 'WEB3_BI_STOP_DELAY_MS');
    const noticeMs = Number(notice !== undefined && 'value' in notice ? notice.value : Number.NaN);
    const { periodSeconds, failureThreshold } = run.readinessProbe;
    // An instance that stops is not ready before its notice is over, and is not killed before it is done.
    expect(noticeMs).toBeGreaterThan(periodSeconds * failureThreshold * 1_000);
    expect(deployed.template.spec.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(noticeMs + FINISH_MS);
  });

  test('keeps an instance running whatever the cluster does to others', () => {
    expect(deployed.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(kept.minAvailable).toBeLessThan(deployed.replicas);
  });
});

// The parts of the Compose specification that the file uses. Docker is not needed to read it.
const duration = z.string().regex(/^\d+(ms|s|m|h)$/);
const composeService = z.strictObject({
  image: z
    .string()
    .regex(/^[\w./-]+:[\w.-]+$/)
    .optional(),
  build: z.string().optional(),
  deploy: z
    .strictObject({
      replicas: z.int().min(1),
      resources: z.strictObject({ limits: z.strictObject({ memory: z.string().regex(/^\d+[MG]$/) }) }),
    })
    .optional(),
  environment: z.record(z.string(), z.string()).optional(),
  volumes: z.array(z.string().regex(/^[\w-]+:\/[\w/.-]+$/)).default([]),
  ports: z.array(z.string().regex(/^\d+:\d+$/)).default([]),
  configs: z.array(z.strictObject({ source: z.string(), target: z.string().startsWith('/') })).default([]),
  healthcheck: z
    .strictObject({ test: z.array(z.string()), interval: duration, timeout: duration, retries: z.int().min(1) })
    .optional(),
  depends_on: z
    .record(z.string(), z.strictObject({ condition: z.enum(['service_started', 'service_healthy']) }))
    .default({}),
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']),
});
const composeFile = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/),
  services: z.record(z.string(), composeService),
  volumes: z.record(z.string(), z.null()),
  configs: z.record(z.string(), z.strictObject({ content: z.string() })),
});

describe('examples/compose.yaml', () => {
  const folder = join(ROOT, 'examples');
  const { services, volumes, configs } = composeFile.parse(parse(readFileSync(join(folder, 'compose.yaml'), 'utf8')));
  const all = Object.values(services);

  test('names only services, volumes and configurations that it has, and builds from the Dockerfile', () => {
    const waitedFor = all.flatMap(({ depends_on }) => Object.keys(depends_on));
    expect(waitedFor.filter((name) => !Object.hasOwn(services, name))).toEqual([]);
    const mounted = all.flatMap((each) => each.volumes.map((volume) => volume.split(':')[0]));
    expect(mounted).toEqual(Object.keys(volumes));
    expect(all.flatMap((each) => each.configs.map(({ source }) => source))).toEqual(Object.keys(configs));
    expect(all.every(({ image, build }) => (image === undefined) !== (build === undefined))).toBe(true);
    const built = all.flatMap(({ build }) => (build === undefined ? [] : [join(folder, build, 'Dockerfile')]));
    expect(built.map((file) => existsSync(file))).toEqual([true]);
  });

  test('waits for what says that it is healthy, and has the proxy ask the port of the service', () => {
    const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
    const healthy = all.flatMap(({ depends_on }) => Object.keys(depends_on));
    const says = ({ healthcheck, build }: z.output<typeof composeService>): boolean =>
      healthcheck !== undefined || (build !== undefined && dockerfile.includes('HEALTHCHECK'));
    expect(healthy.filter((name) => !says(services[name] as z.output<typeof composeService>))).toEqual([]);
    const { port: own } = settingsSchema.parse({});
    expect([configs['proxy']?.content, dockerfile]).toEqual([
      expect.stringContaining(`service ${own}\n`),
      expect.stringContaining(`EXPOSE ${own}\n`),
    ]);
  });

  test('sets what is a setting, to what it can be', () => {
    const given = Object.entries(services['service']?.environment ?? {}).map(([name, value]) => [
      name,
      // Compose substitutes the variable, or its default.
      value.replace(/\$\{\w+(?::-([^}]*))?\}/g, (_, usual = 'secret') => usual),
    ]);
    expect(given.map(([name]) => name).filter((name) => !VARIABLES.includes(String(name)))).toEqual([]);
    expect(readSettings({}, Object.fromEntries(given)).database_url).toBe('postgres://web3bi:secret@database/web3bi');
  });
});
