import { REST } from '../../support/payment-doors.ts';
import { paymentMatrix } from '../../support/payment-matrix.ts';

paymentMatrix(REST);
