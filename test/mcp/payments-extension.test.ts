import { MCP } from '../support/payment-doors.ts';
import { paymentMatrix } from '../support/payment-matrix.ts';

paymentMatrix(MCP.extension);
