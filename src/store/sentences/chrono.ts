import { parse as german } from 'chrono-node/de';
import { parse as english } from 'chrono-node/en';
import { parse as spanish } from 'chrono-node/es';
import { parse as french } from 'chrono-node/fr';
import { parse as portuguese } from 'chrono-node/pt';
import { parse as chinese } from 'chrono-node/zh';

/** The parsers of the six languages. */
export const parsers = [english, german, spanish, french, portuguese, chinese] as const;
