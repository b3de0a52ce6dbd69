import type { Check } from '../session.mts';
import { agents, calls } from './agents.mts';
import { calendars } from './calendars.mts';
import { campaigns, duplicates, sftpChecks, trunks } from './campaigns.mts';
import { requests } from './requests.mts';
import { webhooks } from './webhooks.mts';
import { wire } from './wire.mts';

/** All checks. Those of webhooks come last: their deliveries take time. */
export const checks: Check[] = [
	...requests,
	...wire,
	...duplicates,
	...agents,
	...calls,
	...campaigns,
	...sftpChecks,
	...trunks,
	...calendars,
	...webhooks,
];
