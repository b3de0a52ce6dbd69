import { callerNumber } from '../engine/calls/simulator.mts';
import { HOUR_MS } from '../time/wallTime.mts';
import type { Call } from '../world/call.mts';
import { uuidOf } from '../world/ids.mts';
import type { World } from '../world/world.mts';

const COUNT = 30;
const STATUSES = ['completed', 'completed', 'busy', 'no-answer', 'failed'] as const;

/** Adds calls of the past days through the first agents: enough for several pages of calls. */
export function seedCalls(world: World): void {
	const agents = [...world.agents.values()].filter(({ current_status }) => current_status === 'published').slice(0, 3);
	for (let index = 0; index < COUNT; index += 1) {
		const agent = agents[index % agents.length]!;
		const created = world.clock.now() - (COUNT - index) * 4 * HOUR_MS;
		const status = STATUSES[index % STATUSES.length]!;
		const call: Call = {
			id: uuidOf(`call ${index}`),
			sid: `CA${uuidOf(`call sid ${index}`).replaceAll('-', '')}`,
			agentId: agent.id,
			to: `+1202555${String(1000 + index)}`,
			from: callerNumber(world, agent) ?? '',
			isTesting: index % 10 === 9,
			direction: 'outbound',
			status,
			history: [
				{ status: 'initiated', at: created },
				{ status, at: created + 60_000 },
			],
			duration: status === 'completed' ? 20 + index : 0,
			payload: {},
			context: {},
			campaignCall: null,
			course: { kind: 'automatic', steps: [], due: null, talked: 0 },
			machine: false,
			endedBy: null,
			transcript: [],
			actionUses: [],
			events: [],
			created,
			updated: created + 60_000,
		};
		world.calls.set(call.id, call);
	}
}
