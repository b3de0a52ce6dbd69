import { randomUUID } from 'node:crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { toResult } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import type { Keys } from '../../shared/nodeLink/keys';
import { sendMessage } from '../../shared/nodeLink/messages';
import { seal, unseal } from '../../shared/nodeLink/ticket';
import { ARTIFACT_KINDS, type Artifact } from './artifacts';
import { addNews, type News } from './callNews';
import { type AwaitedCall, nodeResumeAddress, type WaitProgress, type WaitState, waitIdOf } from './state';

/** Identifies this process among those that receive the webhooks of this n8n. */
const PROCESS = randomUUID();

/** How many messages are sent at most: n8n's load balancer decides which process receives each of them. */
const MAX_MESSAGES = 4;

/** What a process knows about a call, by name, so that the other one does not send it again. */
type Piece = 'outcome' | 'voicemail' | Artifact;

function piecesOf({ outcomes, findings }: WaitProgress, item: number): Piece[] {
	const { voicemail, artifacts = {} } = findings.get(item) ?? {};
	return [
		...(outcomes.has(item) ? (['outcome'] as const) : []),
		...(voicemail ? (['voicemail'] as const) : []),
		...(Object.keys(artifacts) as Artifact[]),
	];
}

/** What this process knows about a call, apart from some pieces. */
function newsOf({ outcomes, findings }: WaitProgress, item: number, without: readonly unknown[]): News {
	const { voicemail, artifacts = {} } = findings.get(item) ?? {};
	const outcome = without.includes('outcome') ? undefined : outcomes.get(item);
	const unknown = (Object.keys(ARTIFACT_KINDS) as Artifact[]).filter((artifact) => !without.includes(artifact));
	return {
		item,
		...(outcome && { outcome }),
		...(voicemail && { voicemail }),
		artifacts: Object.fromEntries(
			unknown.flatMap((artifact) => (artifacts[artifact] ? [[artifact, artifacts[artifact]]] : [])),
		),
	};
}

/**
 * Asks other processes of this n8n what they know about calls, and tells them the same: in queue mode each event
 * reaches any of several processes. Returns when nothing is missing, when a process responds a second time, or after
 * four messages.
 *
 * @param calls the calls to ask about
 * @param received the item of the event that this process has just received, if there is one
 * @param isMissing whether something is still missing
 * @returns whether another process is about to resume the execution, and has what this one knows
 */
export async function askOtherProcesses(
	caller: IWebhookFunctions,
	keys: Keys,
	state: WaitState,
	progress: WaitProgress,
	{ calls, received, isMissing }: { calls: readonly AwaitedCall[]; received?: number; isMissing: () => boolean },
): Promise<boolean> {
	const url = nodeResumeAddress(caller);
	const asked = new Set<unknown>();
	for (let sent = 0; sent < MAX_MESSAGES && isMissing() && !progress.resumed; sent++) {
		const message = {
			...waitIdOf(caller, state.run),
			exchange: {
				process: PROCESS,
				has: calls.map(({ item }) => [item, piecesOf(progress, item)]),
				news: received === undefined ? [] : [newsOf(progress, received, [])],
			},
		} as unknown as IDataObject;
		const { value: reply } = await toResult(sendMessage(caller.helpers, keys.messages, url, message));
		if (!reply?.proven || !isRecord(reply.body) || reply.body.process === PROCESS) {
			continue;
		}
		const news = unseal<News[]>(keys.tickets, reply.body.news) ?? [];
		for (const each of news) {
			addNews(progress, each);
		}
		if (reply.body.holding === true) {
			return true;
		}
		if (asked.has(reply.body.process)) {
			return false;
		}
		asked.add(reply.body.process);
	}
	return false;
}

/**
 * Takes what another process knows, and tells it what this one knows.
 *
 * @param exchange from an authentic message of {@link askOtherProcesses}
 * @returns the body of the response
 */
export function answerProcess(keys: Keys, progress: WaitProgress, exchange: IDataObject): IDataObject {
	if (exchange.process === PROCESS) {
		return { process: PROCESS };
	}
	for (const each of exchange.news as unknown as News[]) {
		addNews(progress, each);
	}
	const has = exchange.has as unknown as Array<[number, Piece[]]>;
	const news = has.flatMap(([item, pieces]) =>
		piecesOf(progress, item).some((piece) => !pieces.includes(piece)) ? [newsOf(progress, item, pieces)] : [],
	);
	return { process: PROCESS, holding: progress.holding, news: seal(keys.tickets, news) };
}
