/** Why an answer or a state is not compared: it cannot be read, or it is too large for who asked. It is no difference. */
export class NotComparable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NotComparable';
  }
}
