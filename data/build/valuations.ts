/**
 * Valuations, in US dollars, that the address of an announcement states in words, such as `raises-80m-at-a-505m-valuation`. Some
 * addresses leave the decimal point out (`42b` is 4.2 billion), so a reader wrote each down.
 */
export const STATED_VALUATIONS: readonly (readonly [announcement: string, valuation: number])[] = [
  [
    'https://techcrunch.com/2021/03/11/blockfi-lands-a-350m-series-d-at-3b-valuation-for-its-fast-growing-crypto-lending-platform/',
    3_000_000_000,
  ],
  [
    'https://techcrunch.com/2021/04/28/alchemy-raises-80m-at-a-505m-valuation-to-be-the-aws-for-blockchain/',
    505_000_000,
  ],
  [
    'https://techcrunch.com/2021/05/05/latam-crypto-exchange-bisto-raises-250m-from-tiger-coatue-at-a-2-2b-valuation/',
    2_200_000_000,
  ],
  ['https://techcrunch.com/2021/06/20/crypto-finance-startup-amber-group-raises-100m-at-1b-valuation/', 1_000_000_000],
  ['https://techcrunch.com/2021/07/20/nft-market-opensea-hits-1-5-billion-valuation/', 1_500_000_000],
  [
    'https://techcrunch.com/2021/08/12/crypto-tax-software-provider-taxbit-raises-130m-at-a-1-33b-valuation/',
    1_330_000_000,
  ],
  [
    'https://techcrunch.com/2021/10/21/nft-sci-fi-card-game-parallel-raises-at-500m-valuation-from-paradigm/',
    500_000_000,
  ],
  [
    'https://techcrunch.com/2022/02/08/alchemy-which-aims-to-be-the-de-facto-platform-for-developers-to-build-on-web3-raises-another-200m-and-is-now-valued-at-10-2b/',
    10_200_000_000,
  ],
  [
    'https://venturebeat.com/games/the-sandbox-raises-20m-in-convertible-debt-at-1b-valuation-for-sandbox-metaverse/',
    1_000_000_000,
  ],
  ['https://www.altfi.com/article/8563_moonpay-closes-555m-series-a-at-34bn-valuation', 3_400_000_000],
  [
    'https://www.animocabrands.com/animoca-brands-raises-usd358888888-at-usd5b-valuation-to-grow-the-open-metaverse',
    5_000_000_000,
  ],
  ['https://www.animocabrands.com/animoca-brands-raises-usd65000000-at-usd2200000000-valuation', 2_200_000_000],
  ['https://www.axios.com/2023/05/09/crypto-blockworks-raises-12m-135m-valuation', 135_000_000],
  [
    'https://www.businesswire.com/news/home/20210520005295/en/Forte-Raises-185M-Series-A-at-1B-Valuation-Led-by-Griffin-Gaming-Partners',
    1_000_000_000,
  ],
  [
    'https://www.coindesk.com/business/2021/03/16/crypto-has-another-unicorn-as-bitpanda-raises-170m-at-12b-valuation/',
    1_200_000_000,
  ],
  [
    'https://www.coindesk.com/business/2021/06/24/crypto-sleuthing-firm-chainalysis-raises-100m-this-time-at-42b-valuation/',
    4_200_000_000,
  ],
  [
    'https://www.coindesk.com/business/2021/11/04/a16z-leads-150m-round-for-nft-game-platform-mythical-games-at-125b-valuation/',
    1_250_000_000,
  ],
  [
    'https://www.coindesk.com/business/2022/05/25/starkware-reaches-8b-valuation-following-latest-100m-funding-round/',
    8_000_000_000,
  ],
  [
    'https://www.coindesk.com/business/2022/08/25/crypto-developer-platform-thirdweb-gets-katie-haun-backing-at-160m-valuation/',
    160_000_000,
  ],
  [
    'https://www.coindesk.com/business/2023/04/20/defi-focused-layer-1-berachain-raises-42m-series-a-at-42069m-valuation/',
    420_690_000,
  ],
  [
    'https://www.coindesk.com/markets/2021/05/24/blockchain-platform-chia-raises-61m-from-a16z-others-at-500m-valuation-report/',
    500_000_000,
  ],
  [
    'https://www.coindesk.com/tech/2020/11/20/chainalysis-sees-raising-100m-in-venture-capital-at-1b-valuation-report/',
    1_000_000_000,
  ],
  [
    'https://www.forbes.com/sites/ninabambysheva/2022/01/27/crypto-custodian-fireblocks-raises-550-million-at-8-billion-valuation/',
    8_000_000_000,
  ],
  [
    'https://www.kucoin.com/blog/kucoin-raises-$150-million-at-$10-billion-valuation-to-pioneer-exploration-in-web-3.0',
    10_000_000_000,
  ],
  [
    'https://www.reuters.com/technology/kalshi-valued-2-billion-latest-funding-round-ceo-says-2025-06-25/',
    2_000_000_000,
  ],
  [
    'https://www.theblock.co/post/217340/ethereum-scaling-scroll-50-million-funding-round-1-8-billion-valuation',
    1_800_000_000,
  ],
  [
    'https://www.theblock.co/post/400413/kalshi-hits-22-billion-valuation-after-1-billion-raise-led-by-coatue',
    22_000_000_000,
  ],
  [
    'https://www.theblockcrypto.com/post/124479/ethereum-layer-2-developer-starkware-raises-50-million-now-valued-at-2-billion',
    2_000_000_000,
  ],
  [
    'https://www.theblockcrypto.com/post/128058/thoma-bravo-leads-110-million-funding-for-figment-at-1-4-billion-valuation',
    1_400_000_000,
  ],
];

const VALUATIONS = new Map(STATED_VALUATIONS);

/** The round with the valuation that the address of its announcement states, if it states one. */
export function withStatedValuation<Round extends { readonly announcement: string }>(
  round: Round,
): Round & { readonly valuation_usd?: string } {
  const valuation = VALUATIONS.get(round.announcement);
  return valuation === undefined ? round : { ...round, valuation_usd: valuation.toFixed(2) };
}
