import axios from 'axios';

/** Largest response of a receiver, in bytes: it is read into memory. */
export const RESPONSE_LIMIT = 10 * 1024 * 1024;

/** Whether a request of axios with this limit has failed because the response was larger. */
export function isTooLarge(error: unknown): boolean {
	return axios.isAxiosError(error) && error.message.startsWith('maxContentLength');
}
