import { foldName } from '../../contract/names.ts';

/** Comparison of project names for entity resolution. */

/** Words that projects add or omit, so that they do not distinguish projects. */
const FORM_WORDS = new Set(
  `protocol protocols finance network networks labs lab dao foundation inc ltd llc gmbh corp limited exchange dex
  app xyz org com io fi mainnet official project the ecosystem dapp technologies technology team v1 v2 v3 v4`.split(
    /\s+/,
  ),
);

/** Words that distinguish products of one name, unless domain and account are equal. */
const MILD_WORDS = new Set(`protocol network inc ltd llc the mainnet`.split(' '));

const words = (name: string): string[] =>
  name
    .replace(/\(.*?\)/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Removes words at the end and an article at the start only: Protocol Guild is not Guild. */
function without(name: string, dropped: ReadonlySet<string>): string {
  const remaining = words(name);
  if (remaining.length > 1 && remaining[0]?.toLowerCase() === 'the') remaining.shift();
  while (remaining.length > 1 && dropped.has(remaining.at(-1)?.toLowerCase() ?? '')) remaining.pop();
  return foldName(remaining.join(' ') || name);
}

/** The name without form words: `Lido Finance`, `Lido DAO` and `lido` have the same core. */
export const coreName = (name: string): string => without(name, FORM_WORDS);

/** Like coreName, without the mild words only. */
export const plainName = (name: string): string => without(name, MILD_WORDS);

/** Whether names are similar enough for one project, given an equal domain or account. */
export function isSimilar(left: string, right: string): boolean {
  return foldName(left) === foldName(right) || coreName(left) === coreName(right);
}

/** Affixes that projects use to get a free host or handle. */
const HOST_FORM =
  /^(get|go|try|use|join|the|my|play|hello|official|weare)|(app|labs?|hq|xyz|finance|fi|protocol|dao|network|chain|swap|wallet|io|org|games?|nft|defi|dex|exchange|token|foundation|tech|eth|web3)$/;

/** Whether a name corresponds to a host or account: `Lido Finance` of lido.fi, `Trust Wallet` of trustwallet.com. */
export function isNamedLike(name: string, stem: string): boolean {
  const whole = foldName(name);
  const core = coreName(name);
  const plain = foldName(stem);
  if (whole === plain || core === plain) return true;
  if (core.length < 3 || plain.length < 3) return false;
  const bare = plain.replace(HOST_FORM, '');
  return bare === core || bare === whole || isPart(core, plain) || initialsOf(name) === plain;
}

/**
 * Whether a word occurs in a host and is long enough not to be a coincidence: `noble` in `nobleassets`, but not `one` in `money`.
 */
function isPart(core: string, stem: string): boolean {
  const [short, long] = core.length < stem.length ? [core, stem] : [stem, core];
  return (short.length >= 4 && long.startsWith(short)) || (short.length >= 6 && long.includes(short));
}

/** Initials such as `eff` of Electronic Frontier Foundation; two letters are too ambiguous. */
function initialsOf(name: string): string {
  const initials = words(name).map((word) => word.charAt(0).toLowerCase());
  return initials.length < 3 ? '' : initials.join('');
}
