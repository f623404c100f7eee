import type { Client } from '../client/client.ts';
import { createSpendingScope } from '../client/wallet/spending-scope.ts';
import { ERRORS, ServiceError } from '../contract/errors.ts';
import type { Receipt } from '../contract/spending.ts';
import { accessRemedy } from './access-remedy.ts';
import type { Settings } from './config.ts';
import { printToStderr } from './output.ts';
import { connectService, type ServiceConnection } from './service-connection.ts';

/** Calls the service with a key or a wallet, prints the response and reports payments on stderr. */
export async function callService<Answer>(
  settings: Settings,
  call: (client: Client) => Promise<Answer>,
  show: (answer: Answer) => void,
): Promise<Answer> {
  const connection = await connectService(settings);
  const scope = createSpendingScope();
  try {
    const answer = await call(connection.paid?.withBudget(scope) ?? connection.client).catch((error) => {
      throw withRemedy(error, connection, settings);
    });
    show(answer);
    for (const receipt of scope.receipts) printToStderr(paidLine(receipt));
    return answer;
  } finally {
    await connection.close();
  }
}

/** Adds the remedy to an error about missing access, from the settings of this program. */
function withRemedy(error: unknown, { access }: ServiceConnection, settings: Settings): unknown {
  if (!(error instanceof ServiceError) || ERRORS[error.code].status !== 401 || access === 'wallet') return error;
  const message = access === 'none' ? `${settings.base_url} needs a credential, and none is configured` : error.message;
  return new ServiceError(error.code, message, { cause: error.cause, remedy: accessRemedy(settings) });
}

function paidLine({ cached, amountUsd, transaction }: Receipt): string {
  const proof = transaction === null ? 'the service gave no receipt' : `transaction ${transaction}`;
  return cached ? `Free: paid before, ${amountUsd} USD, ${proof}` : `Paid ${amountUsd} USD, ${proof}`;
}
