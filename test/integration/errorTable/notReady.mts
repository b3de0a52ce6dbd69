import { byId } from '../service.mts';
import { unknownId } from './agents.mts';
import { answer, type Circumstances, type Operations, type Provoker } from './provoke.mts';
import type { Section } from './table.mts';

/** What Missing Variables finds before a call is sent. */
export async function notReady(provoker: Provoker, { place }: Operations): Promise<Section> {
	const { agents } = provoker.seed;
	/** The service shows an agent with a variable. */
	const withVariable: Circumstances = {
		fault: {
			...answer(200, { success: true, data: { current_status: 'published', initial_message: 'Hello {{first_name}}!' } })
				.fault,
			kind: 'status',
			match: { path: `/api/v1/agents/${agents.published}` },
		},
	};
	const automatic = { mappingMode: 'autoMapInputData', value: null };
	return {
		title: 'Not ready',
		note: 'What Place and Queue Call find before they send a call. **Check Before Calling** gives its findings as `reasons`, each with a code.',
		rows: await provoker.rows([
			['A variable of the agent has no value', place(), withVariable],
			['The variables cannot be read, because there is no such agent', place({ agent: unknownId })],
			[
				'Map Automatically cannot read the variables, because there is no such agent',
				place({ agent: byId('nobody'), agentVariables: automatic, options: { missingVariables: 'ignore' } }),
			],
		]),
	};
}
