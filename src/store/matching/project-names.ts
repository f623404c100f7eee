import { foldName } from '../../contract/names.ts';

/** How two spellings of a project's name are compared when identities are resolved. */

/** Words that a project adds to its name or leaves out, so that they tell no two projects apart by themselves. */
const FORM_WORDS = new Set(
  `protocol protocols finance network networks labs lab dao foundation inc ltd llc gmbh corp limited exchange dex
  app xyz org com io fi mainnet official project the ecosystem dapp technologies technology team v1 v2 v3 v4`.split(
    /\s+/,
  ),
);

/** Words that make another product of one name, unless both have the same domain and account. */
const MILD_WORDS = new Set(`protocol network inc ltd llc the mainnet`.split(' '));

const words = (name: string): string[] =>
  name
    .replace(/\(.*?\)/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Only from the end, and an article from the start: Protocol Guild is not Guild. */
function without(name: string, dropped: ReadonlySet<string>): string {
  const kept = words(name);
  if (kept.length > 1 && kept[0]?.toLowerCase() === 'the') kept.shift();
  while (kept.length > 1 && dropped.has(kept.at(-1)?.toLowerCase() ?? '')) kept.pop();
  return foldName(kept.join(' ') || name);
}

/** The name without words of form: `Lido Finance`, `Lido DAO` and `lido` have one core. */
export const coreName = (name: string): string => without(name, FORM_WORDS);

/** As coreName, but only without the words that never make another product. */
export const plainName = (name: string): string => without(name, MILD_WORDS);

/** Whether two names are of one project, given that a domain or an account says so too. */
export function isSimilar(left: string, right: string): boolean {
  return foldName(left) === foldName(right) || coreName(left) === coreName(right);
}

/** What projects put before or behind their name to get a free host or handle. */
const HOST_FORM =
  /^(get|go|try|use|join|the|my|play|hello|official|weare)|(app|labs?|hq|xyz|finance|fi|protocol|dao|network|chain|swap|wallet|io|org|games?|nft|defi|dex|exchange|token|foundation|tech|eth|web3)$/;

/** Whether a name is that of a host or an account: `Lido Finance` of lido.fi, `Trust Wallet` of trustwallet.com. */
export function isNamedLike(name: string, stem: string): boolean {
  const whole = foldName(name);
  const core = coreName(name);
  const plain = foldName(stem);
  if (whole === plain || core === plain) return true;
  if (core.length < 3 || plain.length < 3) return false;
  const bare = plain.replace(HOST_FORM, '');
  return bare === core || bare === whole || isPart(core, plain) || initialsOf(name) === plain;
}

/** A part long enough that it is no accident: `nobleassets` has `noble`, but `one` is in `money`. */
function isPart(core: string, stem: string): boolean {
  const [short, long] = core.length < stem.length ? [core, stem] : [stem, core];
  return (short.length >= 4 && long.startsWith(short)) || (short.length >= 6 && long.includes(short));
}

/** `eff` of Electronic Frontier Foundation; two letters would be anybody's. */
function initialsOf(name: string): string {
  const initials = words(name).map((word) => word.charAt(0).toLowerCase());
  return initials.length < 3 ? '' : initials.join('');
}
