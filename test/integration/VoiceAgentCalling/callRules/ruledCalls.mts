import type { DateTime } from 'luxon';

import { harness } from '../../harness.mts';
import { type Service, useService } from '../../service.mts';

export const BERLIN = '+493012345678';
export const LONDON = '+442079460958';
export const MADRID = '+34912345678';
export const ROME = '+390612345678';

/** Sets the clock of the nodes, of n8n and of the sandbox. */
export function goTo(time: DateTime): void {
	harness.restoreTime();
	harness.skipTime(time.toMillis() - Date.now());
}

/** A service for a test file; before each test it is reset, and the clocks stand at this time. */
export function useServiceAt(time: DateTime, options: Parameters<typeof useService>[0] = {}): Service {
	const service = useService(options);
	beforeEach(() => goTo(time));
	afterEach(() => harness.restoreTime());
	return service;
}

/** The operations that call, and the result of an item that they have called. */
export const callingOperations = [
	['Place', 'place', 'placed'],
	['Queue Call', 'queue', 'queued'],
] as const;

/** Gives the agent this prompt, such as one with variables, and publishes it. */
export async function teach(service: Service, description: string): Promise<void> {
	const agent = `agents/${service.seed.agents.published}`;
	await service.api('PUT', `${agent}/knowledge`, {
		description,
		initial_message: 'Hello!',
		interrupt_sensitivity: 'low',
		ask_if_human_present_on_idle: true,
		llm_temperature: 0,
		initial_message_delay: 0,
	});
	await service.api('POST', `${agent}/publish`);
}

/** Lets the service take the first call, and refuse the second one once, so that n8n tries again. */
export async function refuseSecond(service: Service): Promise<void> {
	const match = { path: `/api/v1/agents/${service.seed.agents.published}/call` };
	await service.fault({ match, kind: 'latency', ms: 0 });
	await service.fault({ match, kind: 'status', status: 422 });
}
