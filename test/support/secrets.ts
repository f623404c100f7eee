import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Searched forms of a secret: plain, without prefix, upper case, bytes, base64. */
function formsOf(secret: string): Buffer[] {
  const bare = secret.replace(/^(0x|mk_)/, '');
  const bytes = secret.startsWith('0x') ? [Buffer.from(bare, 'hex')] : [];
  const texts = [bare, bare.toUpperCase(), bare.toLowerCase(), Buffer.from(bare).toString('base64').replace(/=+$/, '')];
  return [
    ...bytes,
    ...texts.map((text) => Buffer.from(text)),
    ...bytes.map((each) => Buffer.from(each.toString('base64'))),
  ];
}

/** Texts and files of a folder that contain a secret. `exempt` lists key files. */
export function leaksOf(
  secrets: readonly string[],
  { texts = [], folder, exempt = [] }: { texts?: readonly string[]; folder?: string; exempt?: readonly string[] },
): string[] {
  const files = folder === undefined ? [] : readdirSync(folder, { recursive: true, withFileTypes: true });
  const places = [
    ...texts.map((text, index) => [`text ${index}`, Buffer.from(text)] as const),
    ...files
      .filter((file) => file.isFile() && !exempt.includes(file.name))
      .map((file) => [file.name, readFileSync(join(file.parentPath, file.name))] as const),
  ];
  const forms = secrets.flatMap(formsOf);
  return places.filter(([, bytes]) => forms.some((form) => bytes.includes(form))).map(([place]) => place);
}
