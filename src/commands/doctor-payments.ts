import { NETWORKS } from '../contract/networks.ts';
import { ConfigError, type Settings } from './config.ts';
import { prepareConfiguredPaymentGate } from './configured-payment-gate.ts';
import type { Finding } from './doctor.ts';
import { checkChain } from './doctor-wallet.ts';
import { hasWalletAccess } from './service-connection.ts';

/** Checks the payee address, the facilitator, and the chain node that settles unknown outcomes. */
export async function checkPaymentSettings(settings: Settings): Promise<Finding[]> {
  const chain = hasWalletAccess(settings) ? [] : await checkChain(settings);
  return [await checkPayee(settings), await checkFacilitator(settings), ...chain];
}

async function checkPayee(settings: Settings): Promise<Finding> {
  const { pay_to, network } = settings;
  try {
    await prepareConfiguredPaymentGate(settings);
    return { check: 'payee', ok: true, detail: `${pay_to} on ${NETWORKS[network].label} (${network})` };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { check: 'payee', ok: false, detail: error.message, remedy: 'correct the setting that is named' };
  }
}

async function checkFacilitator({ network, facilitator_url, verify_timeout_ms }: Settings): Promise<Finding> {
  const { checkSupported } = await import('../service/payments/facilitator.ts');
  const check = 'facilitator';
  const where = `${NETWORKS[network].label} (${network})`;
  const support = await checkSupported({ url: facilitator_url, timeoutMs: verify_timeout_ms, network });
  if (support.kind === 'yes') return { check, ok: true, detail: `${facilitator_url} settles payments on ${where}` };
  if (support.kind === 'no') {
    const remedy = 'set WEB3_BI_FACILITATOR_URL to one that does, or WEB3_BI_NETWORK to a network that it settles on';
    return { check, ok: false, detail: `${facilitator_url} does not settle payments on ${where}`, remedy };
  }
  const remedy =
    'check WEB3_BI_FACILITATOR_URL; while it does not respond, paid searches get 503 and nothing is charged';
  return { check, ok: false, detail: `${facilitator_url} does not respond (${support.reason})`, remedy };
}
