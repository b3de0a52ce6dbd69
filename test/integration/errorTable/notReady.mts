import { answer, type Circumstances, type Operations, type Provoker } from './provoke.mts';
import type { Section } from './table.mts';

/** What Missing Variables finds before a call is sent. */
export async function notReady(provoker: Provoker, { place }: Operations): Promise<Section> {
	const { agents } = provoker.seed;
	const agent = { id: agents.published, current_status: 'published', initial_message: 'Hello {{first_name}}!' };
	/** The service shows an agent with a variable. */
	const withVariable: Circumstances = {
		fault: {
			...answer(200, { success: true, data: agent }).fault,
			kind: 'status',
			match: { path: `/api/v1/agents/${agents.published}` },
		},
	};
	return {
		title: 'Not ready',
		note: 'What Place and Queue Call find before they send a call. **Check Before Calling** gives its findings as `reasons`, each with a code.',
		rows: await provoker.rows([
			['A variable of the agent has no value', place({ options: {} }), withVariable],
			['The variables cannot be read', place({ options: {} }), answer(403, { message: 'Forbidden.' })],
		]),
	};
}
