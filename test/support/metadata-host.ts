import { generateKeyPairSync, sign } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A host of client metadata documents: https://localhost with a self-signed certificate. */
export interface MetadataHost {
  readonly url: string;
  readonly certificate: string;
  /** Requests so far. */
  readonly requests: () => number;
  close(): Promise<void>;
}

export async function startMetadataHost(answer: RequestListener): Promise<MetadataHost> {
  const { certificate, key } = selfSigned('localhost');
  let requests = 0;
  const server = createServer({ cert: certificate, key }, (request, response) => {
    requests += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificate,
    requests: () => requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** X.509 in DER (RFC 5280, 4.1), with the fields that TLS clients check. */
function selfSigned(host: string): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
  const name = sequence(der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(host)))));
  const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231000000Z')));
  const alternatives = der(0x04, sequence(der(0x82, Buffer.from(host))));
  const extensions = der(0xa3, sequence(sequence(Buffer.from('0603551d11', 'hex'), alternatives)));
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' });
  const serial = der(0x02, Buffer.from([1]));
  const signed = sequence(version, serial, algorithm, name, validity, name, subjectKey, extensions);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey));
  const lines =
    sequence(signed, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    certificate: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}
