import * as z from 'zod';
import { invalidAt } from '../contract/errors.ts';
import { NETWORKS } from '../contract/networks.ts';
import { USD_PATTERN } from '../contract/usd.ts';
import { isPrivateKey } from './wallet/private-key-form.ts';

const matching = (form: RegExp, wanted: string) => z.string(wanted).regex(form, wanted);
const usd = matching(USD_PATTERN, 'must be US dollars as text with up to six decimals, such as "0.05"');
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

const walletOptions = z.object({
  privateKey: z
    .string('must be 0x and 64 hexadecimal digits')
    .refine(isPrivateKey, 'must be 0x and 64 hexadecimal digits'),
  network: z.enum(Object.keys(NETWORKS), `must be one of ${Object.keys(NETWORKS).join(', ')}`),
  payees: z.array(matching(ADDRESS, 'must be an address: 0x and 40 hexadecimal digits'), 'must be a list').optional(),
  budgets: z.object({ perCallUsd: usd, perSessionUsd: usd, perDayUsd: usd }, 'must have the three budgets'),
  ledgerFile: z.string('must be the path of a file').min(1, 'must be the path of a file'),
  rpcUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
});

/** Checks the options of a wallet. Throws `invalid_parameter` for the first invalid one, without its value. */
export function checkWalletOptions(options: unknown): void {
  const [issue] = walletOptions.safeParse(options ?? {}).error?.issues ?? [];
  if (issue === undefined) return;
  const path = issue.path.join('.');
  throw invalidAt(path, `${path} ${issue.message}`);
}
