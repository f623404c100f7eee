import { webDomain } from '../../contract/names.ts';

/** Ownership of web addresses: registrable domains, and hosts shared by many owners. */

/** Hosts without information about ownership: app stores, shorteners, social networks, code, documents and news. */
const SHARED = new Set(
  `github.com gitlab.com medium.com twitter.com x.com t.me telegram.me telegram.org discord.gg discord.com youtube.com
  youtu.be facebook.com instagram.com linkedin.com reddit.com google.com docs.google.com sites.google.com goo.gl bit.ly
  linktr.ee notion.so notion.site figma.com apple.com apps.apple.com play.google.com chrome.google.com
  chromewebstore.google.com mozilla.org amazon.com amazonaws.com opensea.io rarible.com etherscan.io bscscan.com
  polygonscan.com coingecko.com coinmarketcap.com mirror.xyz substack.com lu.ma luma.com eventbrite.com meetup.com
  npmjs.com pypi.org crates.io arxiv.org iacr.org wikipedia.org archive.org typeform.com airtable.com hackmd.io
  tinyurl.com taplink.cc beacons.ai allmylinks.com zealy.io galxe.com gitcoin.co giveth.io businessinsider.com
  yahoo.com bloomberg.com forbes.com coindesk.com cointelegraph.com microsoft.com iohk.io iohkdev.io cardano.org
  emurgo.io adalink.io catalystexplorer.com ideascale.com warpcast.com farcaster.xyz snapshot.org tally.xyz
  explorer.com geckoterminal.com dexscreener.com dextools.io galactictalk.org solana.com tokensets.com tryroll.com
  coopcrowd.com filecoin.io ethereum.org starknet.io base.org optimism.io polygon.technology near.org stellar.org
  devpost.com dorahacks.io ethglobal.com buidlguidl.com nouns.build charmverse.io paragraph.xyz hackernoon.com
  dev.to okex.com wixsite.com weebly.com wordpress.com blogspot.com tumblr.com docsend.com dropbox.com ipfs.io
  cloudflare.com infura.io fandom.com producthunt.com pse.dev`.split(/\s+/),
);

/** Projects whose own site is one of those. */
const OWN_SHARED: Readonly<Record<string, readonly string[]>> = {
  'github.com': [],
  'opensea.io': ['opensea'],
  'rarible.com': ['rarible'],
  'etherscan.io': ['etherscan'],
  'coingecko.com': ['coingecko'],
  'coinmarketcap.com': ['coinmarketcap'],
  'mirror.xyz': ['mirror'],
  'galxe.com': ['galxe'],
  'zealy.io': ['zealy'],
  'gitcoin.co': ['gitcoin', 'gitcoingrants'],
  'giveth.io': ['giveth'],
  'snapshot.org': ['snapshot'],
  'tally.xyz': ['tally'],
  'solana.com': ['solana'],
  'cardano.org': ['cardano'],
  'emurgo.io': ['emurgo'],
  'filecoin.io': ['filecoin'],
  'ethereum.org': ['ethereum', 'ethereumfoundation'],
  'starknet.io': ['starknet'],
  'base.org': ['base'],
  'optimism.io': ['optimism', 'opmainnet'],
  'polygon.technology': ['polygon', 'polygonpos', 'polygonlabs'],
  'near.org': ['near', 'nearprotocol'],
  'stellar.org': ['stellar'],
  'dexscreener.com': ['dexscreener'],
  'dextools.io': ['dextools'],
  'dorahacks.io': ['dorahacks'],
  'ethglobal.com': ['ethglobal'],
  'nouns.build': ['nounsbuilder'],
  'charmverse.io': ['charmverse'],
  'paragraph.xyz': ['paragraph'],
  'tokensets.com': ['tokensets'],
  'tryroll.com': ['roll'],
  'infura.io': ['infura'],
  'farcaster.xyz': ['farcaster'],
  'warpcast.com': ['warpcast'],
  'coindesk.com': ['coindesk'],
  'cointelegraph.com': ['cointelegraph'],
  'iohk.io': ['iohk', 'inputoutput'],
  'pse.dev': ['privacyscalingexplorations', 'privacystewardsofethereum', 'privacyscalingexplorationspse', 'pse'],
};

/** Hosts that give each customer a subdomain. */
const SUBDOMAIN_HOSTS = new Set(
  `github.io gitlab.io vercel.app netlify.app herokuapp.com web.app firebaseapp.com pages.dev workers.dev gitbook.io
  readthedocs.io eth.limo eth.link on.fleek.co fleek.co surge.sh webflow.io framer.website framer.app framer.ai
  carrd.co wixsite.com substack.com mirror.xyz medium.com notion.site super.site onrender.com fly.dev glitch.me
  replit.app repl.co azurewebsites.net cloudfront.net deno.dev typedream.app softr.app bubbleapps.io my.canva.site
  ghost.io hashnode.dev hey.xyz lens.xyz nouns.build caldera.xyz conduit.xyz gelato.digital`.split(/\s+/),
);

/** Second-level domains under which countries register names. */
const SECOND_LEVEL = /^(co|com|org|net|ac|gov|edu|or|ne|gob|com)\.[a-z]{2}$/;

export interface Site {
  /** The registrable domain, or the customer's subdomain. */
  readonly domain: string;
  /** The registered label: `lido` of lido.fi. */
  readonly stem: string;
  readonly host: string;
  readonly path: string;
  readonly isHostedSubdomain: boolean;
}

/** The ownership parts of a web address; null if the text is none. */
export function siteOf(address: string): Site | null {
  const host = webDomain(address);
  if (host === null) return null;
  const path = new URL(address).pathname.replace(/\/$/, '');
  const labels = host.split('.');
  const tenant = [3, 2].map((count) => labels.slice(-count).join('.')).find((name) => SUBDOMAIN_HOSTS.has(name));
  const depth =
    tenant === undefined ? (SECOND_LEVEL.test(labels.slice(-2).join('.')) ? 3 : 2) : tenant.split('.').length + 1;
  const own = labels.slice(-depth);
  return {
    domain: own.join('.'),
    stem: own[0] ?? '',
    host,
    path,
    isHostedSubdomain: tenant !== undefined && labels.length >= depth,
  };
}

/** Whether a host is shared, unless the folded name is its owner's. */
export function isSharedHost({ domain, host, isHostedSubdomain }: Site, foldedName: string): boolean {
  if (isHostedSubdomain) return false;
  const shared = [host, domain].find((name) => SHARED.has(name));
  return (
    (shared !== undefined || SUBDOMAIN_HOSTS.has(domain)) && !(OWN_SHARED[shared ?? domain] ?? []).includes(foldedName)
  );
}
