import { SIGN_IN, SIGN_IN_HEADER, signInOffer, signInText } from '../../contract/sign-in.ts';
import { type Purchase, purchasesAnswer } from '../../contract/x402.ts';
import { accepted, endpointUrl } from '../client.ts';
import { PaymentError } from './errors.ts';
import type { PaymentContext } from './payment-context.ts';
import { asObject, decodeJson } from './payment-headers.ts';
import { requestWithoutPayment } from './purchase.ts';

const PAGE = 50;
const ADVICE = 'Ask the person to check the service with web3-bi doctor.';

/** The wallet's purchases at a service, newest first. Signs in with the key; nothing is paid. */
export async function fetchPurchases(context: PaymentContext, baseUrl: string, max: number): Promise<Purchase[]> {
  const bought: Purchase[] = [];
  for (let before: number | undefined; bought.length < max; ) {
    const url = endpointUrl(baseUrl, '/api/v1/x402/purchases', { limit: PAGE, before });
    const body = await accepted(await signedIn(context, url));
    const page = purchasesAnswer.safeParse(body);
    if (!page.success) throw refused('what it gives is no list of purchases');
    const { data, meta } = page.data;
    bought.push(...data);
    // An empty page with a next one would be without end.
    if (meta.next === null || data.length === 0) break;
    before = meta.next;
  }
  return bought.slice(0, max);
}

const refused = (reason: string): PaymentError =>
  new PaymentError('offer_refused', `Signing in at the service failed: ${reason}.`, { advice: ADVICE });

/** Requests a challenge, signs it if it names this service, and repeats the request. */
async function signedIn(context: PaymentContext, url: URL): Promise<Response> {
  const { signer, rules } = context;
  const request = async (headers: Record<string, string> = {}): Promise<{ response: Response; body: string }> =>
    requestWithoutPayment(context, { url: url.href, signal: undefined, headers });
  const { response, body } = await request();
  if (response.status !== 402) return readAgain(response, body);
  const extensions = asObject(asObject(decodeJson(body))['extensions']);
  const offer = signInOffer.safeParse(extensions[SIGN_IN]);
  if (!offer.success) throw refused('it does not offer to sign in');
  const { info, supportedChains } = offer.data;
  const isOurs = info.domain === url.host && URL.canParse(info.uri) && new URL(info.uri).origin === url.origin;
  // A signature for another service could be replayed there.
  if (!isOurs) throw refused('what it offers to be signed is for another service');
  const chain = supportedChains.find(({ chainId, type }) => chainId === rules.network && type === 'eip191');
  if (chain === undefined) throw refused(`it does not know wallets of ${rules.network}`);
  const unsigned = { ...info, address: signer.address, chainId: rules.network, type: 'eip191' as const };
  const proof = { ...unsigned, signature: await signer.signText(signInText(unsigned)) };
  const header = Buffer.from(JSON.stringify(proof)).toString('base64');
  const answer = await request({ [SIGN_IN_HEADER]: header });
  return readAgain(answer.response, answer.body);
}

/** The response with its body that was read. */
const readAgain = ({ status, headers }: Response, body: string): Response =>
  new Response(body === '' ? null : body, { status, headers });
