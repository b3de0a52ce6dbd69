import type { Call, CampaignCall } from '../world/call.mts';
import type { Campaign } from '../world/campaign.mts';
import type { SftpConfiguration } from '../world/sftp.mts';
import type { Delivery } from '../world/webhook.mts';
import type { World } from '../world/world.mts';
import { FORMAT, type SavedState, VERSION } from './stateSchema.mts';

/** How many of the latest entries of the journals are saved. */
const SAVED_REQUESTS = 2000;
const SAVED_ATTEMPTS = 10_000;

/** Everything that a world has, as plain data that shares nothing that will be replaced. */
export function savedState(world: World): SavedState {
	const attempts = world.attempts.entries.filter(
		({ status }, index, { length }) =>
			index >= length - SAVED_ATTEMPTS || status === 'retrying' || status === 'pending',
	);
	const requests = world.requests.entries.slice(-SAVED_REQUESTS);
	const places = new Map<Delivery, number>();
	for (const { delivery } of attempts) {
		if (!places.has(delivery)) {
			places.set(delivery, places.size);
		}
	}
	return {
		format: FORMAT,
		version: VERSION,
		savedAt: Date.now(),
		now: world.clock.now(),
		ids: world.ids.counts,
		signingKey: world.signingKey,
		credits: Number.isFinite(world.credits) ? world.credits : null,
		mode: world.mode,
		delays: [...world.delays],
		faults: world.faults,
		scripts: world.scripts,
		phoneNumbers: [...world.phoneNumbers.values()],
		agents: [...world.agents.values()],
		campaigns: [...world.campaigns.values()].map(savedCampaign),
		campaignCalls: allCampaignCalls(world).map(({ timer: _timer, ...call }) => call),
		calls: [...world.calls.values()].map(savedCall),
		webhooks: [...world.webhooks.values()],
		sipTrunks: [...world.sipTrunks.values()],
		calendars: [...world.calendars.values()].map((calendar) => ({
			...calendar,
			events: [...calendar.events.values()],
			rules: [...calendar.rules.values()],
		})),
		doNotCall: { environment: [...world.doNotCall.environment], global: [...world.doNotCall.global] },
		deliveries: [...places.keys()],
		attempts: attempts.map(({ delivery, ...attempt }) => ({ ...attempt, delivery: places.get(delivery)! })),
		delayed: [...world.delayed],
		requests,
		dropped: {
			calls: world.droppedCalls,
			attempts: world.attempts.dropped + world.attempts.entries.length - attempts.length,
			requests: world.requests.dropped + world.requests.entries.length - requests.length,
		},
	};
}

function savedCall({ timer: _timer, watch: _watch, entered: _entered, ...call }: Call): SavedState['calls'][number] {
	return { ...call, campaignCall: call.campaignCall?.id ?? null };
}

function allCampaignCalls(world: World): CampaignCall[] {
	const all = new Set([...world.campaigns.values()].flatMap(({ calls }) => calls));
	for (const { campaignCall } of world.calls.values()) {
		if (campaignCall) {
			all.add(campaignCall);
		}
	}
	return [...all];
}

function savedCampaign({ calls: _calls, open: _open, ...campaign }: Campaign): SavedState['campaigns'][number] {
	return {
		...campaign,
		line: campaign.line.map(({ id }) => id),
		doNotCall: [...campaign.doNotCall],
		rests: [...campaign.rests],
		files: campaign.files.map((file) => ({
			...file,
			rows: file.rows.map((row) => ({
				...row,
				result: typeof row.result === 'string' ? row.result : { call: row.result.id },
			})),
		})),
		sftp: campaign.sftp && savedSftp(campaign.sftp),
	};
}

function savedSftp({
	timer: _timer,
	...sftp
}: SftpConfiguration): NonNullable<ReturnType<typeof savedCampaign>['sftp']> {
	return sftp;
}
