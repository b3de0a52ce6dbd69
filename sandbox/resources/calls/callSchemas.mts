import { z } from 'zod';

import { named } from '../../http/named.mts';
import { count, identifier, shownNumber, timestamp } from '../../http/responseSchemas.mts';

const callStatus = z.enum(['initiated', 'ringing', 'answered', 'completed', 'failed', 'busy', 'no-answer']);

/** The response to placing a call. */
export const placedCallSchema = named(
	'Call',
	z.object({ id: identifier, agent_id: identifier, to: shownNumber, status: callStatus, created_at: timestamp }),
);

const recorded = {
	id: identifier,
	sid: z.string().describe("The telephony provider's ID of the call."),
	to: shownNumber,
	to_formatted: z.string(),
	from: shownNumber,
	from_formatted: z.string(),
	is_testing: z.boolean(),
	direction: z.enum(['inbound', 'outbound']),
	status: callStatus,
	duration: count.describe('Seconds of talk; 0 until completed.'),
};
const times = { created_at: timestamp, updated_at: timestamp };

/** A call in the list of all calls. */
export const callRecordSchema = named(
	'CallRecord',
	z.object({
		...recorded,
		agent: z
			.object({ id: identifier, name: z.string(), label: z.string() })
			.nullable()
			.describe('Null after the agent is deleted.'),
		...times,
	}),
);
/** A call in the list of an agent's calls. */
export const agentCallRecordSchema = named('AgentCallRecord', z.object({ ...recorded, ...times }));

export const activeCallSchema = named(
	'ActiveCall',
	z.object({
		id: identifier,
		agent_id: identifier,
		to: shownNumber,
		status: z.enum(['initiated', 'ringing', 'answered']),
		started_at: timestamp,
		duration_seconds: count,
	}),
);

export const endedCallSchema = named(
	'EndedCall',
	z.object({
		id: identifier,
		status: z.literal('completed'),
		ended_at: timestamp,
		ended_reason: z.literal('ended_by_api'),
	}),
);
