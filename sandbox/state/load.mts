import type { z } from 'zod';

import { resumeCampaign, watcher } from '../engine/calls/callQueue.mts';
import { follow, isInProgress } from '../engine/calls/simulator.mts';
import { deliverLater } from '../engine/deliveries/copies.mts';
import { repeat, retryLater } from '../engine/deliveries/deliverer.mts';
import { resumeImports } from '../engine/sftp/import.mts';
import type { Call, CampaignCall } from '../world/call.mts';
import type { Campaign } from '../world/campaign.mts';
import type { DeliveryAttempt } from '../world/webhook.mts';
import type { World } from '../world/world.mts';
import { FORMAT, type SavedState, stateSchema, VERSION } from './stateSchema.mts';

/** Data that is no state of a sandbox; the message says why, in one line. */
export class BrokenState extends Error {}

/**
 * Checks that data is a complete state.
 * @throws BrokenState
 */
export function readState(data: unknown): SavedState {
	const { format, version } = (data ?? {}) as { format?: unknown; version?: unknown };
	if (format !== FORMAT) {
		throw new BrokenState('it is no state of this sandbox');
	}
	if (version !== VERSION) {
		throw new BrokenState(`its version is ${JSON.stringify(version)}, but this sandbox reads version ${VERSION}`);
	}
	const result = stateSchema.safeParse(data);
	if (!result.success) {
		throw new BrokenState(firstProblem(result.error));
	}
	checkReferences(result.data);
	return result.data;
}

function firstProblem({ issues }: z.ZodError): string {
	const [issue] = issues;
	return `${issue?.path.join('.') || 'the whole'}: ${issue?.message ?? 'invalid'}`;
}

function checkReferences(state: SavedState): void {
	const known = new Set(state.campaignCalls.map(({ id }) => id));
	const named = [
		...state.calls.map(({ campaignCall }) => campaignCall),
		...state.campaigns.flatMap(({ line }) => line),
		...state.campaigns.flatMap(({ files }) =>
			files.flatMap(({ rows }) => rows.map(({ result }) => (typeof result === 'string' ? null : result.call))),
		),
	];
	const missing = named.find((id) => id !== null && !known.has(id));
	if (missing !== undefined) {
		throw new BrokenState(`campaignCalls: the call ${missing} is missing`);
	}
	if (state.attempts.some(({ delivery }) => delivery >= state.deliveries.length)) {
		throw new BrokenState('deliveries: the delivery of an attempt is missing');
	}
}

/**
 * Puts a state into a new world, in place of all that it has, and goes on where it was. What was under way on the
 * network when it was saved has failed: deliveries are repeated by their rules, actions and SFTP jobs are not.
 * @param world its clock shows the state's time already
 */
export function loadState(world: World, state: SavedState): void {
	Object.assign(world, {
		signingKey: state.signingKey,
		credits: state.credits ?? Infinity,
		mode: state.mode,
		faults: state.faults,
		scripts: state.scripts,
		droppedCalls: state.dropped.calls,
		delays: new Map(state.delays),
		phoneNumbers: byId(state.phoneNumbers),
		agents: byId(state.agents),
		webhooks: byId(state.webhooks),
		sipTrunks: byId(state.sipTrunks),
		calendars: byId(
			state.calendars.map((calendar) => ({ ...calendar, events: byId(calendar.events), rules: byId(calendar.rules) })),
		),
		doNotCall: {
			environment: new Set(state.doNotCall.environment),
			global: new Set(state.doNotCall.global),
		},
	} satisfies Partial<World>);
	world.ids.counts = { ...state.ids };
	const campaignCalls = new Map(
		state.campaignCalls.map((call): [string, CampaignCall] => [call.id, { ...call, timer: undefined }]),
	);
	world.campaigns = byId(state.campaigns.map((campaign) => loadedCampaign(campaign, campaignCalls)));
	world.calls = byId(state.calls.map((call) => loadedCall(world, call, campaignCalls)));
	loadJournals(world, state);
	resume(world, state);
}

function byId<Item extends { id: string }>(items: Item[]): Map<string, Item> {
	return new Map(items.map((item) => [item.id, item]));
}

function openByNumber(calls: CampaignCall[]): Map<string, CampaignCall[]> {
	const open = new Map<string, CampaignCall[]>();
	for (const call of calls.filter(({ phase }) => phase !== 'over')) {
		const same = open.get(call.to);
		if (same) {
			same.push(call);
		} else {
			open.set(call.to, [call]);
		}
	}
	return open;
}

function loadedCampaign(
	saved: SavedState['campaigns'][number],
	campaignCalls: ReadonlyMap<string, CampaignCall>,
): Campaign {
	const calls = [...campaignCalls.values()].filter(({ campaignId }) => campaignId === saved.id);
	return {
		...saved,
		calls,
		open: openByNumber(calls),
		line: saved.line.map((id) => campaignCalls.get(id)!),
		doNotCall: new Set(saved.doNotCall),
		rests: new Map(saved.rests),
		files: saved.files.map((file) => ({
			...file,
			status: file.status === 'processed' ? 'processed' : 'failed',
			rows: file.rows.map((row) => ({
				...row,
				result: typeof row.result === 'string' ? row.result : campaignCalls.get(row.result.call)!,
			})),
		})),
		sftp: saved.sftp && { ...saved.sftp, timer: undefined },
	};
}

function loadedCall(
	world: World,
	saved: SavedState['calls'][number],
	campaignCalls: ReadonlyMap<string, CampaignCall>,
): Call {
	const campaignCall = campaignCalls.get(saved.campaignCall ?? '') ?? null;
	const campaign = world.campaigns.get(campaignCall?.campaignId ?? '');
	return {
		...saved,
		actionUses: saved.actionUses.map((use) => ({
			...use,
			...(use.status === 'pending' ? { status: 'failed' as const, error: STOPPED, durationMs: 0 } : {}),
			result: use.result ?? null,
		})),
		campaignCall,
		watch: campaignCall && campaign ? watcher(world, campaign, campaignCall) : undefined,
	};
}

const STOPPED = 'The sandbox was stopped.';

function loadJournals(world: World, state: SavedState): void {
	for (const record of state.requests) {
		world.requests.add({ ...record, body: record.body } as Parameters<typeof world.requests.add>[0], 1000);
	}
	world.requests.dropped = state.dropped.requests;
	for (const saved of state.attempts) {
		const delivery = state.deliveries[saved.delivery]!;
		world.attempts.add({ ...saved, delivery }, delivery.body.length + (saved.responseBody?.length ?? 0) + 500);
	}
	world.attempts.dropped = state.dropped.attempts;
}

function resume(world: World, state: SavedState): void {
	for (const call of world.calls.values()) {
		if (isInProgress(call)) {
			follow(world, call);
		}
	}
	for (const campaign of world.campaigns.values()) {
		resumeCampaign(world, campaign);
		if (campaign.sftp) {
			for (const log of campaign.sftp.logs.filter(({ status }) => status === 'running')) {
				Object.assign(log, { status: 'failed', error: STOPPED, completed: world.clock.now() });
			}
			resumeImports(world, campaign, campaign.sftp);
		}
	}
	for (const attempt of world.attempts.entries) {
		resumeAttempt(world, attempt);
	}
	for (const delayed of state.delayed) {
		deliverLater(world, delayed);
	}
}

function resumeAttempt(world: World, attempt: DeliveryAttempt): void {
	if (attempt.status === 'retrying') {
		retryLater(world, attempt);
	}
	if (attempt.status === 'pending') {
		Object.assign(attempt, { status: 'failed', error: STOPPED, durationMs: 0 });
		const webhook = world.webhooks.get(attempt.delivery.webhookId);
		if (attempt.repeats && webhook) {
			repeat(world, webhook, attempt);
		}
	}
}
