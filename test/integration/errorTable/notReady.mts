import { byId, type Service } from '../service.mts';
import { unknownId } from './agents.mts';
import { answer, type Circumstances, type Operations, type Provoker } from './provoke.mts';
import type { Section } from './table.mts';

/** The findings of Check First, which are also the reasons of Check Before Calling. */
export async function notReady(provoker: Provoker, { place, queue }: Operations): Promise<Section> {
	const { agents, campaigns } = provoker.seed;
	const options = { checkFirst: true };
	/** The service shows an object with these fields. */
	const so = (path: string, data: object): Circumstances => ({
		fault: { ...answer(200, { success: true, data }).fault, kind: 'status', match: { path: `/api/v1/${path}` } },
	});
	const agent = (changes: object) =>
		so(`agents/${agents.published}`, {
			current_status: 'published',
			direction: 'outbound',
			phone_numbers: [{ current_status: 'active' }],
			...changes,
		});
	const inCall = async (service: Service) => {
		await service.api('POST', `agents/${agents.published}/call`, { to: '+12025550111' });
		return place({ options });
	};
	const queued = async (service: Service) => {
		await service.api('PUT', `campaigns/${campaigns.active}`, { initial_call_delay: 3600 });
		await service.api('POST', `campaigns/${campaigns.active}/call`, { to: '+12025550111' });
		return queue({ options: { ...options, onDuplicate: 'fail' } });
	};
	const over = {
		status: 'active',
		start_date: '2020-01-01',
		end_date: '2020-01-31',
		days_of_week: [1],
		earliest_call_time: '09:00:00',
		latest_call_time: '17:00:00',
		timezone: 'UTC',
	};
	return {
		title: 'Not ready',
		note: [
			'What the options *Check First* and *Missing Variables* of Place and Queue Call find; several findings stand in one message.',
			'**Check Before Calling** gives the same as `reasons`, each with the code that is named here,',
			'and besides `INVALID_PHONE_NUMBER`, `MISSING_PHONE_NUMBER`, and `REPEATED_NUMBER` where an earlier item has the number.',
		].join(' '),
		rows: await provoker.rows([
			['The agent does not exist (`AGENT_NOT_FOUND`)', place({ agent: unknownId, options })],
			['The agent is a draft (`AGENT_INACTIVE`)', place({ agent: byId(agents.draft), options })],
			['The agent is inbound (`AGENT_NOT_OUTBOUND`)', place({ options }), agent({ direction: 'inbound' })],
			[
				'The agent has no number, or none that is active (`NO_ACTIVE_NUMBER`)',
				place({ options }),
				agent({ phone_numbers: [] }),
			],
			[
				'A variable of the agent has no value (`MISSING_VARIABLES`)',
				place({ options }),
				agent({ initial_message: 'Hello {{first_name}}!' }),
			],
			[
				'A variable of the agent has no value, and Missing Variables is Fail',
				place({ options: { missingVariables: 'fail' } }),
				agent({ initial_message: 'Hello {{first_name}}!' }),
			],
			[
				'Map Automatically cannot read the variables, because there is no such agent',
				place({ agent: unknownId, agentVariables: { mappingMode: 'autoMapInputData', value: null } }),
			],
			['The number is on the phone with the agent (`CALL_IN_PROGRESS`)', inCall],
			['The campaign does not exist (`CAMPAIGN_NOT_FOUND`)', queue({ campaign: unknownId, options })],
			[
				'The campaign is a draft or paused (`CAMPAIGN_NOT_ACTIVE`)',
				queue({ campaign: byId(campaigns.paused), options }),
			],
			['The campaign is over (`CAMPAIGN_NOT_ACTIVE`)', queue({ campaign: byId(campaigns.completed), options })],
			[
				'The campaign has no time left (`NO_CALLING_TIME`)',
				queue({ options }),
				so(`campaigns/${campaigns.active}`, over),
			],
			['The number is queued already, and On Duplicate is Fail (`DUPLICATE_CALL`)', queued],
		]),
	};
}
