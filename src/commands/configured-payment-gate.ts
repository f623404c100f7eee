import { ServiceError } from '../contract/errors.ts';
import type { PaymentGateOptions, preparePaymentGate } from '../service/payments/payment-gate.ts';
import { ConfigError, type Settings } from './config.ts';

export type PreparedPaymentGate = ReturnType<typeof preparePaymentGate>;

/** Validates the payment settings before anything is opened; loaded on demand, because the chain's library is slow to load. */
export async function prepareConfiguredPaymentGate(
  settings: Settings,
  { isOnLocalChain = false }: Pick<PaymentGateOptions, 'isOnLocalChain'> = {},
): Promise<PreparedPaymentGate | undefined> {
  const { network, pay_to: payTo, facilitator_url: facilitatorUrl, rpc_url: rpcUrl } = settings;
  if (payTo === undefined) return undefined;
  const timeouts = { verifyTimeoutMs: settings.verify_timeout_ms, settleTimeoutMs: settings.settle_timeout_ms };
  const { preparePaymentGate } = await import('../service/payments/payment-gate.ts');
  try {
    return preparePaymentGate({
      network,
      payTo,
      facilitatorUrl,
      rpcUrl,
      ...timeouts,
      isOnLocalChain,
      isDiscoverable: settings.discovery === 'on',
      burstPerSecond: settings.burst_per_second,
    });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const isNetwork = error.errors.some(({ location }) => location === 'settings.network');
    throw new ConfigError(
      isNetwork
        ? `WEB3_BI_NETWORK is wrong: ${error.message}; choose another network.`
        : `WEB3_BI_PAY_TO is wrong: ${error.message}; check it for a mistyped letter or digit.`,
    );
  }
}
