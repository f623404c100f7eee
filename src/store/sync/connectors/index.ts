import type { Connector } from '../connector.ts';
import { baseEcosystem } from './base-ecosystem.ts';
import { chainRegistry } from './chain-registry.ts';
import { coingecko } from './coingecko.ts';
import { defillamaProtocols } from './defillama-protocols.ts';
import { defillamaRaises } from './defillama-raises.ts';
import { devcon } from './devcon.ts';
import { eips } from './eips.ts';
import { ossDirectory } from './oss-directory.ts';
import { secFormD } from './sec-form-d.ts';
import { trustWallet } from './trust-wallet.ts';
import { wikidata } from './wikidata.ts';

/** Every connector, redistributable ones first. */
export const connectors: readonly Connector[] = [
  ...[chainRegistry, ossDirectory, baseEcosystem, trustWallet, eips, wikidata, secFormD],
  ...[defillamaProtocols, defillamaRaises, coingecko, devcon],
];
