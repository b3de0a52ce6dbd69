// Check Before Calling: finds the reasons why a call would not be placed or queued now. `api.rules` checks
// the user's rules (`rulesCheckOf` in calls.ts), agent.ts and campaign.ts check the agent and the campaign. The limits of
// the credential and of a tool are not checked.

import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../shared/client/api';
import { concernsAllItems, mayPass } from '../../shared/client/itemErrors';
import type { ErrorCode } from '../../shared/errors/catalog';
import { invalid, type ServiceError, sentences, toResult, unreadable } from '../../shared/errors/serviceError';
import type { Withheld } from '../../shared/errors/withheld';
import { isBlank, isRecord } from '../../shared/lib/json';
import { asHtml } from '../../shared/lib/text';
import { isoOf } from '../../shared/lib/time';
import type { ParsedNumber } from '../../shared/phoneNumbers/e164';
import { phoneOf } from '../../shared/phoneNumbers/phoneOf';
import { withoutResumeTokens } from '../../shared/triggerSecrets/resumeToken';
import { inColumnOrder } from '../operation/items';
import { type AgentState, activeNumbers, agentState } from './agent';
import { campaignState } from './campaign';
import {
	type Finding,
	FLOW_NOT_READ,
	finding,
	missingVariables as findingOnMissing,
	NO_AGENT,
	type VariableSettings,
} from './findings';
import { missingFrom } from './placeholders';

/** The input of a call that would be sent. */
interface Call {
	to: ParsedNumber;
	payload?: Record<string, unknown>;
}

/** The settings of a check. */
export interface CheckSettings extends VariableSettings {
	/** Unless it is `callEachTime`, a number that an earlier item has as well is reported. */
	repeatedNumber?: string;
}

/** The result of a check. Without findings, the call can be placed or queued. */
export interface Readiness {
	findings: Finding[];
	/** In E.164; null if it is not a valid phone number. */
	normalizedTo: string | null;
	/** When the call can start, in milliseconds since 1970; null for never (with a finding) or unknown. */
	nextSlot: number | null;
	/** What may be wrong with a ready call, in whole sentences. */
	note?: string;
	/** When the user's rules allow the call, ISO 8601; null for never or unknown, undefined for now. */
	nextAllowedAt?: string | null;
}

/** Checks a call to be placed by an agent. It only reads from the service, once per run. @throws ServiceError */
export async function checkAgentCall(
	api: Api,
	{ agentId, to, payload, delay_seconds: delay = 0 }: Call & { agentId: string; delay_seconds?: number },
	{ repeatedNumber, ...variables }: CheckSettings,
): Promise<Readiness> {
	const normalizedTo = to.number ?? null;
	const known = await api.rules?.check();
	const agent = await agentState(api, agentId);
	const active = agent.exists ? await activeNumbers(api, agentId) : undefined;
	const findings = [
		...numberFindings(to),
		...ruleFindings(known),
		...agent.findings,
		...variableFindings(payload, agent, variables),
	];
	if (active?.has(normalizedTo)) {
		const advice = 'Wait until the call has ended: Call → Get Active then returns no item.';
		findings.push(finding('CALL_IN_PROGRESS', 'The agent already has a call in progress with this number', advice));
	}
	if (repeatedNumber !== 'callEachTime') {
		await noteNumber(api, `agent ${agentId}`, normalizedTo, findings);
	}
	const { startsAt = Date.now() + delay * 1000, withheld } = countCall(api, known, findings);
	const nextSlot = findings.length === 0 ? startsAt : null;
	const note = noteOf(api, agent, variables);
	return { findings, note, normalizedTo, nextSlot, nextAllowedAt: withheld?.nextAllowedAt };
}

/** Checks a call to be queued in a campaign. It only reads from the service, once per run. @throws ServiceError */
export async function checkCampaignCall(
	api: Api,
	{ campaignId, to, payload, ifAlreadyQueued }: Call & { campaignId: string; ifAlreadyQueued?: string },
	{ repeatedNumber, ...variables }: CheckSettings,
): Promise<Readiness> {
	const normalizedTo = to.number ?? null;
	const known = await api.rules?.check();
	const campaign = await campaignState(api, campaignId);
	const agent = campaign.agentId === undefined ? undefined : await agentState(api, campaign.agentId);
	const findings = [...numberFindings(to), ...ruleFindings(known), ...campaign.findings];
	if (campaign.exists && agent === undefined) {
		findings.push(NO_AGENT);
	}
	if (agent) {
		findings.push(...agent.findings, ...variableFindings(payload, agent, variables));
	}
	const nextSlot = campaign.nextSlot?.(Date.now()) ?? null;
	if (campaign.nextSlot && nextSlot === null) {
		const what = 'The campaign has no calling time left: its dates, days and hours allow no more calls';
		findings.push(finding('NO_CALLING_TIME', what, 'Change them with Campaign → Update.'));
	}
	if (campaign.queued === undefined) {
		throw unreadable('without the calls of the campaign');
	}
	if (ifAlreadyQueued !== 'queueAgain' && campaign.queued.has(normalizedTo)) {
		const advice = "The existing call will ring. To queue another one, set 'If Already Queued' to Queue Again.";
		findings.push(finding('DUPLICATE_CALL', 'The number already has an active or queued call in the campaign', advice));
	}
	if (repeatedNumber !== 'callEachTime') {
		await noteNumber(api, `campaign ${campaignId}`, normalizedTo, findings);
	}
	const { withheld } = countCall(api, known, findings);
	const note = noteOf(api, agent, variables);
	return { findings, note, normalizedTo, nextSlot, nextAllowedAt: withheld?.nextAllowedAt };
}

function numberFindings({ given, number, advice, lacksCountry }: ParsedNumber): Finding[] {
	if (number !== undefined) {
		return [];
	}
	return isBlank(given)
		? [finding('MISSING_PHONE_NUMBER', 'The phone number is missing')]
		: [
				finding(
					'INVALID_PHONE_NUMBER',
					`The number ${lacksCountry ? 'has no country code' : 'cannot be called'}`,
					`${advice}.`,
				),
			];
}

function ruleFindings(withheld: Withheld | undefined): Finding[] {
	return withheld ? [finding(withheld.code, withheld.message.replace(/^Not sent: /, ''), withheld.advice)] : [];
}

/**
 * Counts a ready call as if it were sent, because the next item may then exceed a limit.
 *
 * @param known why the rules do not allow the call
 * @returns when the call would start, or why it is not ready after all
 */
function countCall(
	{ rules }: Api,
	known: Withheld | undefined,
	findings: Finding[],
): { startsAt?: number; withheld?: Withheld } {
	const counted = findings.length > 0 || !rules ? { withheld: known } : rules.count();
	if (known === undefined && 'withheld' in counted) {
		findings.push(...ruleFindings(counted.withheld));
	}
	return counted;
}

function variableFindings(
	payload: unknown,
	{ placeholders, readsFlow }: AgentState,
	{ missingVariables, variablesError: error }: VariableSettings,
): Finding[] {
	if (error) {
		return [finding(error.code, error.message, error.advice)];
	}
	if (missingVariables === 'ignore') {
		return [];
	}
	if (!readsFlow) {
		const what = `The variables of the agent could not be read: ${FLOW_NOT_READ.what}`;
		return [{ ...FLOW_NOT_READ, what }];
	}
	const missing = missingFrom(payload ?? {}, placeholders);
	if (missing.length === 0) {
		return [];
	}
	const { what, ...rest } = findingOnMissing(missing);
	return [{ what: what.replace(/^v/, 'V'), ...rest }];
}

/** Returns the note on possible variables, unless the user ignores variables. Also shows it above the output. */
function noteOf(api: Api, agent: AgentState | undefined, { missingVariables }: VariableSettings): string | undefined {
	const note = missingVariables === 'ignore' ? undefined : agent?.note;
	if (note !== undefined) {
		api.note(asHtml(note));
	}
	return note;
}

/**
 * Adds a finding if an earlier item has the same number. Items that are not ready do not count, because they do not
 * place a call.
 *
 * @param caller the agent or campaign; each has its own set of phones
 */
async function noteNumber(api: Api, caller: string, number: string | null, findings: Finding[]): Promise<void> {
	const phones = await api.remember(`phones called by ${caller}`, async () => new Set<string>());
	if (number === null) {
		return;
	}
	const phone = phoneOf(number);
	if (phones.has(phone)) {
		const advice = "Remove one of the items, or set 'Repeated Number' to Call Each Time.";
		findings.push(finding('REPEATED_NUMBER', 'An earlier item has the same number', advice));
	} else if (findings.length === 0) {
		phones.add(phone);
	}
}

/**
 * Formats a result as the JSON of an item: the code of the first reason and the messages of all reasons, or for a ready
 * call the note.
 *
 * @param input the values of the item
 * @param isTest whether the call would be a test call
 */
export function readinessItem(
	{ to, context, payload }: Call & { context?: unknown },
	isTest: boolean,
	{ findings, note, normalizedTo, nextSlot, nextAllowedAt = isoOf(Date.now()) }: Readiness,
) {
	const reasons = findings.map(({ code, what, advice }) => ({ code, message: what, advice }));
	return inColumnOrder({
		result: reasons.length === 0 ? 'ready' : 'notReady',
		to: to.given as string,
		...(isRecord(context) && { context: withoutResumeTokens(context) as IDataObject }),
		...(isRecord(payload) && { payload: payload as IDataObject }),
		isTest,
		message: reasons.map(({ message }) => sentences(message)).join(' ') || (note ?? 'Ready.'),
		normalizedTo,
		nextSlot: nextSlot === null ? null : isoOf(nextSlot),
		reasons,
		code: reasons[0]?.code ?? '',
		...(reasons.length > 0 && { nextAllowedAt: findings.every(mayPass) ? nextAllowedAt : null }),
		advice: reasons.map(({ advice }) => advice).join(' '),
	});
}

/**
 * Returns why no call of an agent or campaign can be placed now, whatever its number.
 *
 * @returns undefined if nothing is known that would stop all calls
 */
export async function errorForAllCalls(
	api: Api,
	{ agentId, campaignId }: { agentId?: string; campaignId?: string },
): Promise<ServiceError | undefined> {
	const { value: campaign, error: notRead } = await toResult(
		campaignId === undefined ? Promise.resolve(undefined) : campaignState(api, campaignId),
	);
	const id = agentId ?? campaign?.agentId;
	const { value: agent, error = notRead } = await toResult(
		id === undefined ? Promise.resolve(undefined) : agentState(api, id),
	);
	if (error !== undefined) {
		return concernsAllItems(error) ? error : undefined;
	}
	const [found] = [...(campaign?.findings ?? []), ...(agent?.findings ?? [])];
	return found && invalid(found.what, found.advice, found.code as ErrorCode);
}
