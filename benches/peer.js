// What a careful person would write by hand: an M/M/1 queue in JavaScript, to hold our own against in the same browser.
//
// The value of this script is a function. It simulates so many customers at load `load`, with a mean service of 1, and
// tells the mean response time and its p99. A customer has the two events of the textbook: it comes, and it is served.
//
// Events lie in a binary heap, ordered by time and then by the order in which they were planned, as ours are. All is in
// typed arrays: nothing is allocated while it runs, unless the queue is longer than ever before. Chance is xoshiro128+
// in 32-bit numbers, two for each of 53 bits, since JavaScript's 64-bit integers are slow; times are -log of it. Each
// response time goes into a histogram with buckets one two-thousandth wide, which is read off the bits of the number.
// It does less than ours does: one histogram in the place of two (a whole and one by sections), no sections, no check of
// growth, and digits that hang on the browser's logarithm. Ours has no events here: with one server and no messages,
// waiting times follow from one another.
(() => {
  const COMES = 0;
  const SERVED = 1;

  // Numbers that are no small whole ones, in an array: in variables that functions share, each new value would be
  // allocated.
  const NOW = 0;
  const TOTAL = 1;
  const PLANNED = 2;
  const sums = new Float64Array(3);

  // xoshiro128+ (Blackman and Vigna), its state from the seed by the steps of splitmix32.
  const state = new Int32Array(4);

  function seed(number) {
    for (let at = 0; at < 4; at += 1) {
      let z = (number + Math.imul(at + 1, 0x9e3779b9)) | 0;
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
      state[at] = z ^ (z >>> 16);
    }
  }

  function bits() {
    const s0 = state[0];
    const s1 = state[1];
    const s2 = state[2] ^ s0;
    const s3 = state[3] ^ s1;
    state[0] = s0 ^ s3;
    state[1] = s1 ^ s2;
    state[2] = s2 ^ (s1 << 9);
    state[3] = (s3 << 11) | (s3 >>> 21);
    return (s0 + (s3 ^ s1)) | 0;
  }

  function exponential() {
    const high = bits() >>> 5;
    const low = bits() >>> 6;
    return -Math.log((high * 67108864 + low + 0.5) * (1 / 9007199254740992));
  }

  // The heap, which never holds more than a handful. An event is its customer's place times two, plus what happens.
  const ROOM = 64;
  const times = new Float64Array(ROOM);
  const orders = new Float64Array(ROOM);
  const events = new Int32Array(ROOM);
  let size = 0;

  function plan(time, event) {
    const order = sums[PLANNED];
    sums[PLANNED] = order + 1;
    let at = size;
    size = at + 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      // What is planned later never goes before what has the same time.
      if (times[parent] <= time) break;
      times[at] = times[parent];
      orders[at] = orders[parent];
      events[at] = events[parent];
      at = parent;
    }
    times[at] = time;
    orders[at] = order;
    events[at] = event;
  }

  // Takes the first out, whose time and event have been read already.
  function drop() {
    const last = size - 1;
    size = last;
    const time = times[last];
    const order = orders[last];
    const event = events[last];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= last) break;
      const right = child + 1;
      if (right < last && (times[right] < times[child] || (times[right] === times[child] && orders[right] < orders[child]))) child = right;
      if (time < times[child] || (time === times[child] && order < orders[child])) break;
      times[at] = times[child];
      orders[at] = orders[child];
      events[at] = events[child];
      at = child;
    }
    times[at] = time;
    orders[at] = order;
    events[at] = event;
  }

  // Customers in places that are used again, and the queue, a ring of such places.
  let room = 1024;
  let sent = new Float64Array(room);
  let work = new Float64Array(room);
  let free = Int32Array.from({ length: room }, (_, at) => at);
  let unused = room;
  let queue = new Int32Array(room);
  let head = 0;
  let length = 0;

  function grow() {
    const wider = (Type, old) => {
      const it = new Type(2 * room);
      it.set(old);
      return it;
    };
    const straight = new Int32Array(2 * room);
    for (let at = 0; at < length; at += 1) straight[at] = queue[(head + at) & (room - 1)];
    [queue, head] = [straight, 0];
    [sent, work, free] = [wider(Float64Array, sent), wider(Float64Array, work), new Int32Array(2 * room)];
    for (let at = 0; at < room; at += 1) free[at] = room + at;
    unused = room;
    room *= 2;
  }

  function arrive(place) {
    queue[(head + length) & (room - 1)] = place;
    length += 1;
    if (length === 1) plan(sums[NOW] + work[place], place * 2 + SERVED);
  }

  // Buckets by the upper bits of a number: its exponent and 11 bits of fraction, from 2^-30 on.
  const FRACTION = 11;
  const LOWEST = (1023 - 30) << FRACTION;
  const counts = new Uint32Array(64 << FRACTION);
  const number = new Float64Array(1);
  const halves = new Uint32Array(number.buffer);

  function record(time) {
    number[0] = time;
    // Little-endian, as all machines are that browsers run on.
    const at = (halves[1] >>> (20 - FRACTION)) - LOWEST;
    counts[at < 0 ? 0 : at] += 1;
    sums[TOTAL] += time;
  }

  function quantile(share, of) {
    let below = 0;
    let bucket = 0;
    while (below + counts[bucket] < share * of) below += counts[bucket++];
    halves[0] = 0;
    halves[1] = (bucket + LOWEST) << (20 - FRACTION);
    return number[0];
  }

  function simulate(customers, gap) {
    let served = 0;
    plan(gap * exponential(), COMES);
    while (served < customers) {
      const now = times[0];
      const event = events[0];
      const place = event >> 1;
      sums[NOW] = now;
      drop();
      if ((event & 1) === COMES) {
        plan(now + gap * exponential(), COMES);
        if (unused === 0) grow();
        unused -= 1;
        const mine = free[unused];
        sent[mine] = now;
        work[mine] = exponential();
        arrive(mine);
      } else {
        head = (head + 1) & (room - 1);
        length -= 1;
        if (length > 0) {
          const next = queue[head];
          plan(now + work[next], next * 2 + SERVED);
        }
        record(now - sent[place]);
        free[unused] = place;
        unused += 1;
        served += 1;
      }
    }
  }

  return function mm1(customers, load, number) {
    seed(number);
    sums.fill(0);
    counts.fill(0);
    size = head = length = 0;
    unused = room;
    for (let at = 0; at < room; at += 1) free[at] = at;
    simulate(customers, 1 / load);
    return { mean: sums[TOTAL] / customers, p99: quantile(0.99, customers) };
  };
})()
