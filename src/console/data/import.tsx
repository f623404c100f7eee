import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import type { ImportResult } from '../../service/imports/import-job.ts';
import { type PageAnswer, type PageRoute, pageReply, type SignedInRequest } from '../reply.ts';
import { forEditor } from './access.tsx';
import { Done, Preview, ROWS_PLACE, Upload } from './import-pages.tsx';

export const importRoutes: readonly PageRoute[] = [
  forEditor('get', '/account/import', async () => pageReply('Import', <Upload fault={undefined} type={undefined} />)),
  {
    ...forEditor('post', '/account/import', async (visit) => {
      const type = RECORD_TYPES.find((one) => one === visit.form.values['type']);
      const content = contentIn(visit);
      if (type === undefined || isBlank(content)) return refuse(type);
      const isDryRun = visit.form.values['confirmed'] !== 'yes';
      const result = await visit.deps.imports.run({ type, content, isDryRun, author: visit.author });
      return isDryRun ? preview(result) : pageReply('Imported', <Done report={result.report} />);
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

const preview = ({ report, differences, html }: ImportResult): PageAnswer =>
  pageReply('Import', <Preview report={report} differences={differences} />, { filling: { place: ROWS_PLACE, html } });
