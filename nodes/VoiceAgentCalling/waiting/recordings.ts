import type { IBinaryData, IWebhookFunctions } from 'n8n-workflow';

import { messageWithAdvice, toResult } from '../../shared/errors/serviceError';
import { download } from '../../shared/service/download';
import { connect } from '../../shared/service/transport';

/** How long all downloads may take together, in seconds: the sender of the event waits for the response. */
const MAX_SECONDS = 12;

/** How many recordings are downloaded at the same time. */
const AT_ONCE = 4;

/** A downloaded recording, or why there is none. */
export type Downloaded = { file: IBinaryData } | { error: string };

/**
 * Downloads recordings, without the token.
 *
 * @param recordings by item: the ID of the call, and what its event has as the recording
 * @returns by item; a recording that cannot be downloaded, or not in time, ends nothing
 */
export async function downloadRecordings(
	caller: IWebhookFunctions,
	recordings: ReadonlyMap<number, { callId: string; recording: unknown }>,
): Promise<Map<number, Downloaded>> {
	const downloaded = new Map<number, Downloaded>();
	const waiting = [...recordings];
	if (waiting.length === 0) {
		return downloaded;
	}
	const { base } = await connect(caller);
	const until = Date.now() + MAX_SECONDS * 1000;
	const work = async () => {
		for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
			const [item, { callId, recording }] = next;
			const seconds = (until - Date.now()) / 1000;
			if (seconds <= 0) {
				downloaded.set(item, { error: 'There was no time left to download it. Download it from its URL.' });
				continue;
			}
			const { value, error } = await toResult(save(caller, base, { callId, recording, seconds }));
			downloaded.set(item, error === undefined ? { file: value } : { error: messageWithAdvice(error) });
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return downloaded;
}

async function save(
	caller: IWebhookFunctions,
	base: URL,
	{ callId, recording, seconds }: { callId: string; recording: unknown; seconds: number },
): Promise<IBinaryData> {
	const address = String(recording);
	const { data, mimeType } = await download(caller, base, address, seconds);
	const [, extension = 'mp3'] = /\.([a-z0-9]{2,4})(?:\?.*)?$/i.exec(address) ?? [];
	return await caller.helpers.prepareBinaryData(data, `recording-${callId}.${extension}`, mimeType);
}
