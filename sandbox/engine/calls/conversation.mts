import type { Call, CallResult, CallSide, TranscriptLine } from '../../world/call.mts';
import type { World } from '../../world/world.mts';
import { type EventFields, LEFT_MESSAGE } from '../deliveries/eventTypes.mts';
import { asText, valueAt } from '../deliveries/template.mts';

/** An agent's first message, and the placeholders without a value in the payload. */
interface FirstMessage {
	/** The agent's message with its placeholders. */
	template: string;
	/** The message as the agent speaks it. A placeholder without a value is kept. */
	text: string;
	unfilled: string[];
}

const WITHOUT_MESSAGE = 'Hello, do you have a minute?';
const PLACEHOLDER = /\{\{\s*([^{}]+?)\s*\}\}/g;

/** Fills the values of a call's payload into its agent's first message. */
export function initialMessage(world: World, { agentId, payload }: Call): FirstMessage {
	const template = world.agents.get(agentId)?.initial_message ?? WITHOUT_MESSAGE;
	const unfilled = new Set<string>();
	const text = template.replace(PLACEHOLDER, (placeholder, name: string) => {
		const value = payloadValue(payload, name);
		if (value === undefined || value === null) {
			unfilled.add(name);
			return placeholder;
		}
		return asText(value);
	});
	return { template, text, unfilled: [...unfilled] };
}

/** Returns the value of `name`. If the payload lacks that name, `a.b` is the value of `b` within `a`. */
function payloadValue(payload: Record<string, unknown>, name: string): unknown {
	return Object.hasOwn(payload, name) ? payload[name] : valueAt(name, payload);
}

/** Whether a call has a recording after its end: it was answered, and its agent records calls. */
export function isRecorded(world: World, { agentId, answered }: Call): boolean {
	return answered !== undefined && world.agents.get(agentId)?.unshown.enable_recording !== false;
}

/** Adds a line to a call's transcript. */
export function say(world: World, call: Call, by: CallSide, content: string): void {
	call.transcript.push({ role: by === 'agent' ? 'agent' : 'user', content, at: world.clock.now() });
	world.changes.publish({ type: 'transcript', id: call.id });
}

/** Adds the first lines when a call is answered: the agent's first message, or its message to a machine. */
export function openConversation(world: World, call: Call): void {
	if (call.machine) {
		return say(world, call, 'agent', LEFT_MESSAGE);
	}
	if (world.agents.get(call.agentId)?.who_speaks_first === 'user') {
		say(world, call, 'person', 'Hello?');
	}
	say(world, call, 'agent', initialMessage(world, call).text);
}

/** Returns the transcript in the form that events contain. */
export function transcriptOf(call: Call): Array<Omit<TranscriptLine, 'at'>> {
	return call.transcript.map(({ role, content }) => ({ role, content }));
}

/** Returns the report of a call that is over, in the form that its event contains. */
export function reportOf(call: Call, outcome: CallResult): EventFields {
	const used = call.actionUses.map(({ name, status }) => ({ name, status }));
	return { summary: summaryOf(call, outcome), outcome, ...(used.length > 0 ? { actions: used } : {}) };
}

function summaryOf(call: Call, outcome: CallResult): string {
	const sentences = [OUTCOMES[outcome]];
	if (call.direction === 'inbound' && outcome === 'completed') {
		sentences[0] = call.answered === undefined ? 'The caller hung up before the agent answered.' : 'A person called.';
	} else if (outcome === 'completed' && call.answered === undefined) {
		sentences[0] = 'The call was ended before anybody answered.';
	}
	for (const { name, status } of call.actionUses) {
		sentences.push(status === 'failed' ? `The agent used ${name}, which failed.` : `The agent used ${name}.`);
	}
	if (outcome === 'completed' && call.answered !== undefined && call.endedBy !== null) {
		sentences.push(ENDINGS[call.endedBy]);
	}
	return sentences.join(' ');
}

const OUTCOMES: Record<CallResult, string> = {
	completed: 'The person was reached.',
	voicemail: 'Voicemail answered the call.',
	busy: 'The line was busy.',
	'no-answer': 'Nobody answered.',
	failed: 'The call failed.',
};

const ENDINGS = {
	person: 'The person hung up.',
	agent: 'The agent hung up.',
	api: 'The call was ended by a request.',
};
