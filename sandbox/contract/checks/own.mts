import type { Exchange } from '../client.mts';
import { NotTested } from '../client.mts';
import { dataIn, type Fields, idOf } from '../read.mts';
import type { Session } from '../session.mts';

/** The objects that checks share. They are created when the first check asks for them. */

export const AGENT = (s: Session): Fields => ({
	name: s.name,
	label: 'Contract check',
	description: 'Checks what an interface does. May be deleted.',
	language: 'en-US',
	direction: 'outbound',
	who_speaks_first: 'agent',
	interrupt_sensitivity: 'medium',
	endpointing_sensitivity: 'medium',
	ivr_navigation_mode: 'disabled',
	conversation_speed: 1.5,
	llm_temperature: 0.4,
	initial_message_delay: 1,
	ask_if_human_present_on_idle: true,
	idle_time_seconds: 30,
	enable_recording: false,
});

const DAY_MS = 86_400_000;
const day = (ahead: number) => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10);

export const CAMPAIGN = (s: Session, agent_id: string): Fields => ({
	name: s.name,
	campaign_type: 'custom',
	agent_id,
	start_date: day(365),
	days_of_week: [1, 2, 3, 4, 5, 6, 7],
	call_time_ranges: [{ start: '09:00', end: '17:00' }],
	timezone: 'UTC',
});

/** A campaign that calls at any time of any day. */
export const OPEN_CAMPAIGN = (s: Session, agent_id: string): Fields => ({
	...CAMPAIGN(s, agent_id),
	start_date: day(-1),
	call_time_ranges: [{ start: '00:00', end: '23:59' }],
	max_retries: 0,
	auto_complete: false,
	do_not_call_enabled: false,
	auto_add_to_dnc_enabled: false,
});

export const TRUNK = (s: Session): Fields => ({
	name: s.name,
	provider_name: 'contract-check',
	domain: 'sip.contract-check.invalid',
	transport: 'tls',
	username: 'contract-check',
	password: 'no-real-password',
});

/** A draft without a voice. */
export const agent = (s: Session) => s.once('agent', () => s.made('agent', AGENT(s)));

/** A draft with a draft agent, in a year. */
export const campaign = (s: Session) =>
	s.once('campaign', async () => s.made('campaign', CAMPAIGN(s, (await agent(s)).id)));

/** A calendar in UTC, with the owner of the calendar that is listed first. */
export const calendar = (s: Session) =>
	s.once('calendar', async () => {
		const { owner_id } = await s.find('/calendars', 'a calendar');
		return await s.made('calendar', { name: s.name, owner_id, timezone: 'UTC', metadata: { one: 1 } });
	});

/** A trunk whose host cannot exist. */
export const trunk = (s: Session) =>
	s.once('trunk', async () => {
		const answer = await s.create('sipTrunk', TRUNK(s));
		if (answer.status === 403) {
			throw new NotTested('needs a plan with custom SIP trunks');
		}
		return answer.status < 300 && idOf(dataIn(answer.body)) !== undefined
			? { id: idOf(dataIn(answer.body)) ?? '', answer }
			: await s.made('sipTrunk', TRUNK(s));
	});

/** An outbound agent of the account that can place calls. */
export const caller = (s: Session) =>
	s.find(
		'/agents',
		'a published outbound agent with a phone number',
		({ current_status, direction, phone_numbers }) =>
			!/draft|inactive/i.test(String(current_status)) &&
			direction === 'outbound' &&
			Array.isArray(phone_numbers) &&
			phone_numbers.length > 0,
	);

/** Reads an object again. */
export async function read(s: Session, path: string): Promise<Fields> {
	return dataIn((await s.must('GET', path)).body);
}

/** The ID in an answer. @throws NotTested */
export function idIn(answer: Exchange): string {
	const id = idOf(dataIn(answer.body));
	if (id === undefined) {
		throw new NotTested(`the answer ${answer.status} has no ID`);
	}
	return id;
}
