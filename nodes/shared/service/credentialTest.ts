import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import type { ErrorCode } from '../errors/errorCodes';
import { messageWithAdvice, toResult } from '../errors/serviceError';
import { isRecord } from '../lib/isRecord';
import { tokenOf } from '../lib/token';
import { assertToken } from '../nodeLink/keys';
import { authorize } from './authorize';
import { notTheService, refusal } from './refusals';
import { assertLimits, connectionOf, sendBy } from './transport';

const TEST_TIMEOUT_SECONDS = 10;

const COPY_TOKEN =
	'Copy the current token from the dashboard (Account → Environments). When somebody regenerates it, the old one stops working.';

/** The advice of the credential test by HTTP status. */
const adviceByStatus = {
	200: "Check 'Environment Token' and 'Base URL'.",
	401: COPY_TOKEN,
	403: 'The token lacks a permission. Use one with access to voice agents, calls and campaigns.',
	429: 'Wait a minute, then test again.',
};

/** What the credential test says where the text of a node's error does not fit. */
const messageByCode: Partial<Record<ErrorCode, string>> = {
	CONNECTION_LOST:
		'The connection was closed before an answer came. Check the Base URL, and that it starts with https:// if the service uses https.',
	NOT_FOUND: 'There is no Voice Agent Calling Service at this address. Check the Base URL.',
	TIMEOUT: `Nothing answered within ${TEST_TIMEOUT_SECONDS} seconds. Check the Base URL, and that the service is running.`,
};

/** Lists one agent, like a node does. @throws ServiceError and, for an invalid Base URL, Error */
async function listOneAgent(
	caller: ICredentialTestFunctions,
	credentials: ICredentialDataDecryptedObject,
): Promise<void> {
	const connection = connectionOf(credentials);
	assertLimits(connection);
	assertToken(tokenOf(credentials.environmentToken));
	// The only function that n8n offers here has other names for the options of a request.
	const body = await sendBy(
		async (options) => {
			const authorized = await authorize(credentials, options);
			return await caller.helpers.request({ ...authorized, simple: false, resolveWithFullResponse: true });
		},
		connection,
		{ method: 'GET', path: ['agents'], query: { per_page: 1 }, advice: adviceByStatus },
		TEST_TIMEOUT_SECONDS,
	);
	assertSuccess(body);
}

/**
 * A proxy or the service can send an error with HTTP status 200, and anything else can answer at a wrong address.
 *
 * @throws ServiceError for a body that is an error of the service, or not from the service
 */
function assertSuccess(body: IDataObject): void {
	const isError = 'status_code' in body || isRecord(body.error) || ('success' in body && body.success !== true);
	if (isError) {
		const status = Number(body.status_code);
		throw refusal(status >= 400 && status <= 599 ? status : 200, body, { advice: adviceByStatus });
	}
	if (body.success !== true && !Array.isArray(body.data)) {
		throw notTheService(200);
	}
}

/** The credential test of n8n: whether the service accepts the token. It never places a call. */
export async function testVoiceAgentCallingApi(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { error } = await toResult(listOneAgent(this, data));
	return error === undefined
		? { status: 'OK', message: 'Connection successful!' }
		: { status: 'Error', message: messageByCode[error.code] ?? messageWithAdvice(error) };
}
