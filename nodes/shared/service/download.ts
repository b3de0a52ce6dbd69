import type { IN8nHttpFullResponse, RequestHelperFunctions } from 'n8n-workflow';

import { ServiceError, unreadable } from '../errors/serviceError';
import { isLoopback, isPrivate } from './baseUrl';

/** The largest file that is downloaded, in bytes: 25 MB. */
const MAX_BYTES = 25_000_000;

/** A stream of Node.js. */
interface Stream extends AsyncIterable<Uint8Array> {
	destroy(): void;
}

/**
 * Downloads a file from an address that the service returned, without the token. The address has to begin with https.
 * An address on this machine is allowed only if the service is on this machine too: otherwise, the service could read
 * what only this machine can.
 *
 * @param base the Base URL of the service
 * @param timeoutSeconds how long the whole download may take
 * @throws ServiceError `UNREADABLE_ANSWER` for an invalid address, `FILE_UNAVAILABLE` where the download fails or the
 * file is larger than 25 MB
 */
export async function download(
	caller: { helpers: Pick<RequestHelperFunctions, 'httpRequest'> },
	base: URL,
	address: string,
	timeoutSeconds: number,
): Promise<{ data: Buffer; mimeType: string | undefined }> {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (url === undefined || !isPrivate(url)) {
		throw unreadable('with an address for the file that does not begin with https://');
	}
	if (isThisMachine(url) && !isThisMachine(base)) {
		throw unreadable('with an address for the file that is on the machine of n8n, where the service is not');
	}
	const signal = AbortSignal.timeout(timeoutSeconds * 1000);
	let response: IN8nHttpFullResponse;
	try {
		response = (await caller.helpers.httpRequest({
			method: 'GET',
			url: address,
			encoding: 'stream',
			timeout: timeoutSeconds * 1000,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as IN8nHttpFullResponse;
	} catch {
		// The cause contains the whole address, and whoever has the address can download the file.
		throw noFile('no answer came from its address');
	}
	const { statusCode, headers } = response;
	const stream = response.body as unknown as Stream;
	if (statusCode < 200 || statusCode > 299) {
		stream.destroy();
		throw noFile(`its address answered with HTTP status ${statusCode}`, statusCode);
	}
	const type = headers['content-type'];
	const mimeType = typeof type === 'string' ? type.split(';')[0] : undefined;
	return { data: await read(stream, signal), mimeType };
}

/** Reads a file. @throws ServiceError where it is too large, is cut off or takes too long */
async function read(stream: Stream, signal: AbortSignal): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	const stop = () => stream.destroy();
	signal.addEventListener('abort', stop);
	try {
		signal.throwIfAborted();
		for await (const chunk of stream) {
			length += chunk.length;
			if (length > MAX_BYTES) {
				break;
			}
			chunks.push(chunk);
		}
	} catch {
		throw noFile(signal.aborted ? 'it did not arrive within the request timeout' : 'the connection was cut');
	} finally {
		signal.removeEventListener('abort', stop);
		stream.destroy();
	}
	if (length > MAX_BYTES) {
		throw new ServiceError(`The file is larger than ${MAX_BYTES / 1e6} MB and was not downloaded`, {
			code: 'FILE_UNAVAILABLE',
			advice: 'Turn off the download in this node, and download the file from its URL.',
			accepted: 'no',
		});
	}
	return Buffer.concat(chunks);
}

/** Whether an address leads to this machine: loopback in every spelling, and addresses that stand for it. */
function isThisMachine({ hostname }: URL): boolean {
	const name = hostname.replace(/\.$/, '');
	return isLoopback(name) || name === '[::]' || /^0(\.\d+){3}$/.test(name) || /^\[::ffff:(7f[\da-f]{2}|0):/.test(name);
}

function noFile(what: string, httpStatus?: number): ServiceError {
	return new ServiceError(`The file could not be downloaded: ${what}`, {
		code: 'FILE_UNAVAILABLE',
		advice: 'The URL of a file expires soon. Run this again to get a new one.',
		httpStatus,
		accepted: 'no',
	});
}
