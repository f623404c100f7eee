import { existsSync } from 'node:fs';
import { askModel } from './ask-model.ts';
import { scoreFolder } from './score-folder.ts';

/**
 * `npm run eval -- FOLDER` scores the sentences and questions of a folder without a model; `npm run eval -- MODEL` asks a model
 * which tool it would call.
 */
const [target = ''] = process.argv.slice(2);
if (target === '') throw new Error('Usage: npm run eval -- FOLDER, or ANTHROPIC_API_KEY=... npm run eval -- MODEL');
await (existsSync(target) ? scoreFolder(target) : askModel(target));
