import type { IDataObject, INode } from 'n8n-workflow';

import { ServiceError } from '../../shared/errors/serviceError';
import { defineField, numeric, ONLY_AS_TOOL } from '../../shared/fields/field';
import { toE164 } from '../../shared/phoneNumbers/e164';

/** Whether an AI agent runs the node. n8n gives the tool form of a node a type of its own. */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/** The error for what an AI agent must not do. @param what the operation or the value */
export function notForTools(what: string): ServiceError {
	return new ServiceError(`${what} is not open to an AI agent`, {
		code: 'NOT_FOR_TOOLS',
		advice: 'Do this in a workflow of its own, where a person decides.',
		taken: 'no',
	});
}

/** What a person decides about the calls of a model; no model can fill these in. */
export const toolFields = [
	defineField({
		key: 'maxCalls',
		properties: [
			{
				displayName: 'Max Calls per Run',
				name: 'maxCalls',
				type: 'number',
				typeOptions: { minValue: 1 },
				noDataExpression: true,
				default: 1,
				description: 'How many calls the model may place or queue in one run of the workflow',
				displayOptions: ONLY_AS_TOOL,
			},
		],
		check: (zod) => numeric(zod, zod.number().int().min(1)),
	}),
	defineField({
		key: 'allowedPrefixes',
		properties: [
			{
				displayName: 'Allowed Number Prefixes',
				name: 'allowedPrefixes',
				type: 'string',
				noDataExpression: true,
				default: '',
				placeholder: 'e.g. +49, +4420',
				description:
					'How the numbers that the model may call begin, parted by commas. Left empty, it may call any number.',
				displayOptions: ONLY_AS_TOOL,
			},
		],
		check: (zod) =>
			zod
				.string()
				.default('')
				.transform((text) => text.split(',').map((prefix) => prefix.replace(/[\s()./-]/g, '')))
				.transform((prefixes) => prefixes.filter((prefix) => prefix !== ''))
				.refine((prefixes) => prefixes.every((prefix) => /^\+\d+$/.test(prefix)), {
					message: 'Write each prefix with +, for example +49, +4420',
				}),
	}),
] as const;

/** @throws ServiceError when the number is none that the model may call */
export function assertAllowed(to: unknown, allowedPrefixes: readonly string[]): void {
	const number = toE164(to) ?? '';
	if (allowedPrefixes.length === 0 || allowedPrefixes.some((prefix) => number.startsWith(prefix))) {
		return;
	}
	throw new ServiceError(`${number} is not a number that this tool may call`, {
		code: 'NUMBER_NOT_ALLOWED',
		advice: `It may call numbers that begin with ${allowedPrefixes.join(' or ')}.`,
		taken: 'no',
	});
}

/** How many more calls a tool may place in this run of the workflow. */
export class CallBudget {
	private readonly context: IDataObject;

	private readonly most: number;

	/** @param context n8n's context of the node: it lasts as long as the run of the workflow */
	constructor(context: IDataObject, most: number) {
		this.context = context;
		this.most = most;
	}

	private get placed(): number {
		return Number(this.context.callsPlaced ?? 0);
	}

	/** To be called before a call is sent. @throws ServiceError when none is left */
	take(): void {
		if (this.placed >= this.most) {
			throw new ServiceError(`This tool has placed all the calls that it may place in one run: ${this.most}`, {
				code: 'CALL_LIMIT_REACHED',
				advice: "Place no more calls now. Whoever built the workflow can raise 'Max Calls per Run'.",
				taken: 'no',
			});
		}
		this.context.callsPlaced = this.placed + 1;
	}

	/** To be called when the service refused the call. */
	giveBack(): void {
		this.context.callsPlaced = this.placed - 1;
	}
}
