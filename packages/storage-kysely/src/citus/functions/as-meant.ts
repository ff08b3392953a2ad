/** Settings of a node's sessions with which what it is sent is read as something else. They are on by themselves. */
const ON = ['array_nulls', 'standard_conforming_strings']

/** SQL for true where a transaction sees no more than was there as it began: a shard that was moved since is where it was. */
export const SEES_THE_PAST = `current_setting('transaction_isolation') in ('repeatable read', 'serializable')`

/**
 * PL/pgSQL that refuses to go on at a node that would write something else than was meant, or where a shard was before. Citus sends the node a
 * statement in words, and a call that is a transaction by itself without a begin: what counts is what the node's session has, of its own files too,
 * of which nobody hears who asks the coordinator.
 */
export const ASSERT_AS_MEANT = `
  if ${[SEES_THE_PAST, ...ON.map(name => `current_setting('${name}') = 'off'`)].join(' or ')} then
    raise exception using errcode = 'object_not_in_prerequisite_state', message = (
      select format(
        'at %s %s is %s, with which something else may be written there than was meant, or where a shard was before: set it to what it is by itself, for the node or for the transaction',
        (select string_agg(concat(node.nodename, ':', node.nodeport), ', ')
          from pg_dist_node as node join pg_dist_local_group using (groupid)),
        name, setting)
      from (values ('default_transaction_isolation'), ('transaction_isolation'), ${ON.map(name => `('${name}')`).join(', ')})
        as looked_at (name), current_setting(name) as setting
      where setting in ('repeatable read', 'serializable', 'off') limit 1);
  end if;`
