import { toResult, unwrap } from '../../shared/errors/serviceError';
import { NOT_TRIED } from './itemErrors';

/** What all items of a run read once, such as the agent that all of them call with. */
export class SharedReads {
	private readonly reads = new Map<string, Promise<unknown>>();

	/**
	 * Returns what was read under a name, or reads it. What could not be read is read again by the next item.
	 *
	 * @param name what it is; unique in the operation
	 * @throws ServiceError
	 */
	async read<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
		const earlier = this.reads.get(name) as Promise<Value> | undefined;
		if (earlier !== undefined) {
			const { value, error } = await toResult(earlier);
			if (error === undefined) {
				return value as Value;
			}
			// An item that was stopped while it read says nothing about the others.
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
