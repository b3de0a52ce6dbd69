import { toResult, unwrap } from '../../shared/errors/serviceError';
import { NOT_TRIED } from './itemErrors';

/** A cache of objects that all items of a run need, such as the agent that places the calls. */
export class SharedReads {
	private readonly reads = new Map<string, Promise<unknown>>();

	/**
	 * Returns the cached value, or reads it. A failed read is not cached.
	 *
	 * @param name the cache key, unique in the operation
	 * @throws ServiceError the error of `read`
	 */
	async read<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
		const earlier = this.reads.get(name) as Promise<Value> | undefined;
		if (earlier !== undefined) {
			const { value, error } = await toResult(earlier);
			if (error === undefined) {
				return value as Value;
			}
			// NOT_TRIED is only about the item that was reading: this one reads again.
			if (error.code !== NOT_TRIED) {
				throw error;
			}
		}
		const reading = read();
		this.reads.set(name, reading);
		const result = await toResult(reading);
		if (result.error && this.reads.get(name) === reading) {
			this.reads.delete(name);
		}
		return unwrap(result);
	}
}
