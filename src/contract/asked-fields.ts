import type { RecordType } from './entities/index.ts';
import { unknownFields } from './field-names.ts';

/** Fields that concise records of some types lack, by the words that ask for them. */
const ASKED: readonly (readonly [words: RegExp, field: string])[] = [
  [/\b(?:tickers?|(?:token|ticker) symbols?|símbolo|token-?symbol)\b|代币符号|代币代码/iu, 'token_symbols'],
  [
    /^[\s¿]*(?:what|which)(?:['’]?s| is)?(?: the)?(?: native)? tokens? (?:of|for|does|do|has)\b|^[\s¿]*(?:does|do|has) .+ (?:have|has|issued?|launch(?:ed)?) (?:a |its own |any )?(?:native )?tokens?\b|\bwhat(?:['’]?s| is) .+['’]s (?:native )?token\b/iu,
    'token_symbols',
  ],
  [/^[\s¿]*(?:on )?(?:what|which) (?:block)?chains? (?:is|are|does|do)\b/iu, 'chains'],
  [/\b(?:contracts?|token) address(?:es)?\b|\bcontract of\b|合约地址/iu, 'token_contracts'],
  [/\b(?:git ?hub|repos?|repository|repositories|source code)\b|代码库/iu, 'github'],
  [/\b(?:twitter|(?:x|twitter) (?:account|handle|profile)s?|tweets)\b|推特/iu, 'twitter'],
  [/\b(?:websites?|homepages?|web ?page|webseite|site web|sitio web|página web)\b|官网|网站/iu, 'website'],
  [/\b(?:aliases|also known as|aka|former names?|old names?|formerly called)\b|曾用名/iu, 'aliases'],
  [/\b(?:former names?|old names?|formerly called|rebranded)\b|曾用名/iu, 'former_names'],
  [/\bfund sizes?\b/iu, 'fund_size_usd'],
  [/\bfounders\b/iu, 'founders'],
  [/\blogos?\b/iu, 'logo'],
];

/** The fields of some types that a text asks for: of `ticker of Acme`, `token_symbols`. */
export function fieldsAskedIn(text: string, types: readonly RecordType[]): readonly string[] {
  const fields = ASKED.filter(([words]) => words.test(text)).map(([, field]) => field);
  const unknown = unknownFields(types, fields);
  return fields.filter((field) => !unknown.includes(field));
}
