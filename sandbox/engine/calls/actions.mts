import { isoMillis } from '../../time/time.mts';
import type { Action, ActionInput } from '../../world/agent.mts';
import type { ActionUse, Call } from '../../world/call.mts';
import { newId } from '../../world/ids.mts';
import type { World } from '../../world/world.mts';
import { emitCall } from '../deliveries/emit.mts';
import { asText, fill } from '../deliveries/template.mts';
import { sendAction } from './actionRequest.mts';
import { say } from './conversation.mts';

/** Why an action cannot be used: it is unknown, the call or action is in the wrong state, or arguments are invalid. */
interface ActionRefusal {
	reason: 'unknown' | 'state' | 'arguments';
	message: string;
	/** The messages about invalid arguments, by name. */
	fields: Record<string, string[]>;
}

type Arguments = Record<string, unknown>;

/** Finds an action of the call's agent by id or name. @returns why it cannot be used, if it cannot be used now */
export function findUsable(
	world: World,
	call: Call,
	idOrName: string,
	given: Arguments,
): { action: Action; input: Arguments } | ActionRefusal {
	const actions = world.agents.get(call.agentId)?.actions ?? [];
	const action = actions.find(({ id }) => id === idOrName) ?? actions.find(({ name }) => name === idOrName);
	if (!action) {
		return refusal('unknown', `The agent has no action "${idOrName}".`);
	}
	if (action.current_status !== 'active') {
		return refusal('state', `The action ${action.name} is inactive.`);
	}
	const wrong = wrongMoment(call, action);
	if (wrong) {
		return refusal('state', wrong);
	}
	const fields = wrongArguments(action.input_schema, given);
	const [first] = Object.values(fields);
	if (first) {
		return { reason: 'arguments', message: first[0] ?? '', fields };
	}
	const fixed = action.input_schema.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]);
	return { action, input: { ...given, ...Object.fromEntries(fixed) } };
}

/** Lets the agent use an action in a call. Resolves when the action has ended. A failed action does not throw. */
export async function useAction(world: World, call: Call, action: Action, input: Arguments): Promise<ActionUse> {
	const use = beginUse(world, call, action, input);
	const { speak_on_send, speak_on_receive } = action.unshown;
	const started = performance.now();
	if (action.type === 'webhook') {
		if (typeof speak_on_send === 'string') {
			say(world, call, 'agent', spoken(speak_on_send, valuesOf(world, call, input)));
		}
		await sendAction(world, use, action, valuesOf(world, call, input), input);
	} else {
		use.result = resultOfType(action, input);
	}
	use.durationMs = Math.round(performance.now() - started);
	use.status = use.error === null ? 'succeeded' : 'failed';
	if (world.ended) {
		return use;
	}
	if (use.status === 'succeeded' && typeof speak_on_receive === 'string' && action.type === 'webhook') {
		const response = use.result;
		const own = response !== null && typeof response === 'object' ? response : {};
		say(world, call, 'agent', spoken(speak_on_receive, { ...valuesOf(world, call, input), ...own, response }));
	}
	report(world, call, use);
	return use;
}

/** Uses an action in a script. If it cannot be used, records a failed use and sends neither a request nor an event. */
export async function useInScript(world: World, call: Call, idOrName: string, given: Arguments): Promise<void> {
	const found = findUsable(world, call, idOrName, given);
	if ('action' in found) {
		await useAction(world, call, found.action, found.input);
		return;
	}
	const nowhere = { id: '', name: idOrName, type: 'external' as const };
	const use = beginUse(world, call, nowhere, given);
	Object.assign(use, { status: 'failed', error: found.message, durationMs: 0 });
	announceUse(world, call, use);
}

function beginUse(world: World, call: Call, action: Pick<Action, 'id' | 'name' | 'type'>, input: Arguments): ActionUse {
	const use: ActionUse = {
		id: newId(world, 'use'),
		actionId: action.id,
		name: action.name,
		type: action.type,
		arguments: input,
		status: 'pending',
		request: null,
		response: null,
		result: null,
		error: null,
		durationMs: null,
		at: world.clock.now(),
	};
	call.actionUses.push(use);
	announceUse(world, call, use);
	return use;
}

/** Emits the event of an action that has ended. */
function report(world: World, call: Call, { name, arguments: input, result, error, ...use }: ActionUse): void {
	const common = { action_name: name, input };
	if (error === null) {
		emitCall(world, call, 'event_action', () => ({ ...common, result }));
	} else {
		emitCall(world, call, 'event_action_failed', () => ({ ...common, error }));
	}
	announceUse(world, call, use);
}

function announceUse(world: World, call: Call, { id, status }: Pick<ActionUse, 'id' | 'status'>): void {
	world.changes.publish({ type: 'action', id: call.id, use: id, status });
}

function refusal(reason: ActionRefusal['reason'], message: string): ActionRefusal {
	return { reason, message, fields: {} };
}

function wrongMoment(call: Call, { name, type, unshown }: Action): string | undefined {
	if (type === 'external' && unshown.execution_mode === 'post_call') {
		return call.status === 'completed' && call.answered !== undefined
			? undefined
			: `The action ${name} is for the time after a call that was answered: the call is ${call.status}.`;
	}
	return call.status === 'answered'
		? undefined
		: `The action ${name} is for the time of the conversation: the call is ${call.status}.`;
}

function wrongArguments(schema: ActionInput[], given: Arguments): Record<string, string[]> {
	const wrong: Record<string, string[]> = {};
	for (const { name, type, required, value } of schema) {
		const argument = given[name];
		if (value !== undefined) {
			if (argument !== undefined) {
				wrong[name] = [`The input ${name} has a fixed value.`];
			}
		} else if (argument === undefined || argument === null) {
			if (required) {
				wrong[name] = [`The input ${name} is required.`];
			}
		} else if (!isOfType(argument, type)) {
			wrong[name] = [`The input ${name} must be of type ${type}.`];
		}
	}
	for (const name of Object.keys(given)) {
		if (!schema.some((input) => input.name === name)) {
			wrong[name] = [`The action has no input ${name}.`];
		}
	}
	return wrong;
}

/** Checks only types that exist in JSON; every value is valid for another type. */
function isOfType(value: unknown, type: string): boolean {
	switch (type) {
		case 'string':
		case 'number':
		case 'boolean':
			return type === typeof value;
		case 'integer':
			return Number.isInteger(value);
		case 'array':
			return Array.isArray(value);
		case 'object':
			return value !== null && typeof value === 'object' && !Array.isArray(value);
		default:
			return true;
	}
}

function resultOfType({ type, unshown }: Action, input: Arguments): unknown {
	switch (type) {
		case 'transfer':
			return { transferred_to: input.transfer_to ?? null };
		case 'hold':
			return { held_seconds: input.hold_duration ?? null };
		default:
			return { integration: (unshown.integration as { id?: string } | undefined)?.id ?? null };
	}
}

/** Returns the values that templates can refer to. */
function valuesOf(world: World, call: Call, input: Arguments): Arguments {
	const agent = world.agents.get(call.agentId);
	const id = call.campaignCall?.id ?? call.id;
	return {
		...call.payload,
		...input,
		payload: call.payload,
		context: call.context,
		arguments: input,
		call: { id, to: call.to, from: call.from, direction: call.direction, status: call.status },
		agent: { id: call.agentId, name: agent?.name ?? null },
		timestamp: isoMillis(world.clock.now()),
	};
}

function spoken(template: string, values: Arguments): string {
	return asText(fill(template, values));
}
