import { toResult, unwrap } from '../errors/serviceError';
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
		for (let earlier = this.reads.get(name); earlier !== undefined; earlier = this.reads.get(name)) {
			const { value, error } = await toResult(earlier as Promise<Value>);
			if (error === undefined) {
				return value as Value;
			}
			// NOT_TRIED is only about the item that was reading: the first of those that waited for it reads again.
			if (error.code !== NOT_TRIED) {
				throw error;
			}
		}
		const reading = read();
		this.reads.set(name, reading);
		const result = await toResult(reading);
		if (result.error) {
			this.reads.delete(name);
		}
		return unwrap(result);
	}
}
