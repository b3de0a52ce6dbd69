import type { Check } from '../session.mts';
import { agentChecks, callChecks } from './agentChecks.mts';
import { answerChecks } from './answerChecks.mts';
import { calendarChecks } from './calendarChecks.mts';
import { campaignChecks, duplicateChecks, sftpChecks, trunkChecks } from './campaignChecks.mts';
import { requestChecks } from './requestChecks.mts';
import { webhookChecks } from './webhookChecks.mts';

/** All checks. A run takes them in the order of docs/contributing/assumptions.md. */
export const checks: Check[] = [
	...requestChecks,
	...answerChecks,
	...duplicateChecks,
	...agentChecks,
	...callChecks,
	...campaignChecks,
	...sftpChecks,
	...trunkChecks,
	...calendarChecks,
	...webhookChecks,
];
