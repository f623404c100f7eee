import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import type { ImportResult } from '../../service/imports/import-job.ts';
import { type PageAnswer, type PageRoute, pageReply, type SignedInRequest } from '../page-route.ts';
import { forEditor } from './access-levels.tsx';
import { Done, Preview, ROWS_PLACE, Upload } from './import-pages.tsx';

export const importRoutes: readonly PageRoute[] = [
  forEditor('get', '/account/import', async () => pageReply('Import', <Upload fault={undefined} type={undefined} />)),
  {
    ...forEditor('post', '/account/import', async (pageRequest) => {
      const type = RECORD_TYPES.find((one) => one === pageRequest.form.values['type']);
      const content = contentIn(pageRequest);
      if (type === undefined || isBlank(content)) return refuse(type);
      const isDryRun = pageRequest.form.values['confirmed'] !== 'yes';
      const result = await pageRequest.deps.imports.run({ type, content, isDryRun, author: pageRequest.author });
      return isDryRun ? preview(content, result) : pageReply('Imported', <Done report={result.report} />);
    }),
    takesFile: true,
  },
];

/** The content to import: a file, pasted text, or the rows of the confirmed preview. */
const contentIn = ({ form }: SignedInRequest): string | Buffer => form.file?.content ?? form.values['text'] ?? '';

const isBlank = (content: string | Buffer): boolean =>
  typeof content === 'string' ? !/\S/.test(content) : content.every((byte) => byte <= SPACE);
const SPACE = 0x20;

const refuse = (type: RecordType | undefined): PageAnswer =>
  pageReply('Import', <Upload fault="Choose a type and a file, or paste rows." type={type} />, { status: 400 });

/** The confirmation form contains the content, to be sent again. */
const preview = (content: string | Buffer, result: ImportResult): PageAnswer =>
  pageReply('Import', <Preview {...result} />, { filling: { place: ROWS_PLACE, html: escaped(Buffer.from(content)) } });

const PART_BYTES = 1 << 16;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** UTF-8 as HTML, in parts: bytes of longer characters never equal one of ASCII, so that a part may end within one. */
function* escaped(content: Buffer): Generator<Buffer> {
  for (let start = 0; start < content.length; start += PART_BYTES) {
    const text = content.toString('latin1', start, start + PART_BYTES);
    yield Buffer.from(
      text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign),
      'latin1',
    );
  }
}
