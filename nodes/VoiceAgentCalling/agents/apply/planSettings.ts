import { fieldsOf, type SettingSection } from '../document/agentFields';
import { type Difference, isSet, pathOf } from '../document/differences';
import { compareFields } from './comparing';
import { type Environment, idOfVoice, idsOfNumbers, isOtherVoice } from './environment';
import { NEW_AGENT, type PlanPart, type PlanProblem, type PlanTarget } from './plan';
import { planUpdate, type SettingsUpdate } from './settingsUpdate';
import { listed } from './wording';

/** Compares the settings that only the creation of an agent can set: a difference is a problem. */
export function planFixedSettings({ document, current }: PlanTarget): Partial<PlanPart> {
	if (current.agentId === NEW_AGENT) {
		return {};
	}
	const [wanted, now] = [document.settings, current.document.settings];
	const { changed, unknown } = compareFields(fieldsOf('settings'), wanted, now);
	return {
		differences: changed.map((field) => differenceAt('settings', field, now, wanted)),
		problems: changed.map((field) => ({
			path: pathOf('settings', field),
			message: `The ${field} of the agent differs, and the service cannot change it`,
			whatToDo: `Write the ${field} of the agent into the document, or apply the document to another agent.`,
		})),
		notCompared: unknown.map((field) => pathOf('settings', field)),
	};
}

/** Plans the update of knowledge. */
export function planKnowledge(target: PlanTarget): Partial<PlanPart> {
	return partOf(target, 'knowledge', updateOf(target, 'knowledge', target.document.knowledge));
}

/** Plans the update of the voice. */
export function planVoice(target: PlanTarget, environment: Environment): Partial<PlanPart> {
	const { template, ...wanted } = target.document.voice;
	const { document, settings, agentId } = target.current;
	const { ids, problems } = isOtherVoice(template, document.voice.template)
		? idOfVoice(environment, template)
		: { ids: settings.voice.template, problems: [] as PlanProblem[] };
	const update = updateOf(target, 'voice', { ...wanted, template: template === null ? null : ids });
	const { request, changed, unknown, missing } = update;
	const part = partOf(target, 'voice', { ...update, missing: missing.includes('voice_id') ? [] : missing });
	if (missing.includes('voice_id')) {
		const message = changed.includes('template')
			? 'The agent has a voice, and the service cannot take it away'
			: `The agent has no voice, and without one the service does not change ${listed([...changed, ...unknown])}`;
		problems.push({ path: 'voice.template', message, whatToDo: 'Name a voice in the document.' });
	}
	const isReset = request && wanted.ambient_volume === undefined && agentId !== NEW_AGENT;
	const note = 'The document lacks voice.ambient_volume: the service resets it to 1 with every change of the voice.';
	return { ...part, problems: [...problems, ...(part.problems ?? [])], notes: isReset ? [note] : [] };
}

/** Plans the update of the calling settings. */
export function planCalling(target: PlanTarget, environment: Environment): Partial<PlanPart> {
	const { phone_numbers: numbers, ...wanted } = target.document.calling;
	const { ids, problems } = idsOfNumbers(environment, numbers ?? [], target.current.phoneNumberIds);
	const update = updateOf(target, 'calling', { ...wanted, phone_numbers: numbers === undefined ? undefined : ids });
	const part = partOf(target, 'calling', update);
	return { ...part, problems: [...(part.problems ?? []), ...problems] };
}

function updateOf({ current, options }: PlanTarget, section: SettingSection, wanted: object): SettingsUpdate {
	const wishes = { sendsUnknown: options.unreadableFields === 'send', isExact: false };
	return planUpdate(section, current.agentId, { ...wanted }, current.settings[section], wishes);
}

/** The part of a plan that an update is. */
function partOf(
	{ document, current }: PlanTarget,
	section: SettingSection,
	{ changed, unknown, missing, request }: SettingsUpdate,
): Partial<PlanPart> {
	return {
		requests: request ? [request] : [],
		differences: changed.map((field) => differenceAt(section, field, current.document[section], document[section])),
		problems: missing.map((field) => problemOf(section, field)),
		notCompared: request ? [] : unknown.map((field) => pathOf(section, field)),
	};
}

/** The difference of a field that is one value: another name is another voice, also where the tier is the same. */
function differenceAt(section: string, field: string, now: object, wanted: object): Difference {
	const [from, to] = [now, wanted].map((values) => (values as Record<string, unknown>)[field]);
	return { path: pathOf(section, field), ...(isSet(from) && { from }), ...(isSet(to) && { to }) };
}

/** A field that an update requires, and that neither the document nor the service has. */
function problemOf(section: string, field: string): PlanProblem {
	return {
		path: pathOf(section, field),
		message: `The service requires ${field} with every change of the ${section}, and neither the document nor the agent has a value`,
		whatToDo: 'Add it to the document.',
	};
}
